#pragma once
// The transactor of pc_two_bit.sv behind a lookup link, and the policy that uses it. `Model` is a Verilated parameter set. A read is a
// query and changes nothing: its data contain the miss and the answer. A write reports a miss, the arrival of its data, or the start of a
// kernel.

#include <cstring>
#include <memory>

#include "model/rtl/verilated_transactor.h"
#include "model/tlm/lookup_link.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf::rtl {

/// The data of a transaction on the link.
struct SharingWord {
  enum class What : std::uint8_t { miss, filled, kernel_start };
  What what = What::miss;
  bool shared = false;              // miss, read: the answer
  bool from_core = false;           // filled
  std::uint32_t pc = 0;             // miss
  SharingPredictor::Ticket ticket;  // miss, read: part of the answer; filled: names the miss
};

template <class Model>
class PcTwoBitRtl final : public VerilatedTransactor<Model>, private LookupTarget {
 public:
  PcTwoBitRtl(sc_core::sc_module_name name, const char* block, const char* parameters)
      : VerilatedTransactor<Model>(name, block, parameters) {}

  tlm::tlm_target_socket<>& port() { return port_.socket; }

 private:
  void read(unsigned, Address, unsigned char* data, unsigned) override {
    const typename Transactor::Operation operation(*this, query_use_);
    SharingWord word = word_of(data);
    predict_pc_.write(word.pc);
    this->settle();
    word.shared = predict_shared_.read();
    word.ticket = {static_cast<std::uint16_t>(predict_entry_.read()), static_cast<std::uint16_t>(predict_epoch_.read())};
    std::memcpy(data, &word, sizeof(word));
  }

  void write(unsigned, Address, const unsigned char* data, unsigned) override {
    const typename Transactor::Operation operation(*this, update_use_);
    const SharingWord word = word_of(data);
    predict_.write(word.what == SharingWord::What::miss);
    filled_.write(word.what == SharingWord::What::filled);
    kernel_start_.write(word.what == SharingWord::What::kernel_start);
    predict_pc_.write(word.pc);
    filled_entry_.write(word.ticket.entry);
    filled_epoch_.write(word.ticket.epoch);
    filled_from_core_.write(word.from_core);
    this->clock_edge();
    for (ImmediateSignal<bool>* operation_pin : {&predict_, &filled_, &kernel_start_}) operation_pin->write(false);
  }

  static SharingWord word_of(const unsigned char* data) {
    SharingWord word;
    std::memcpy(&word, data, sizeof(word));
    return word;
  }

  using VerilatedTransactor<Model>::dut;
  ImmediateSignal<bool> predict_{dut.predict}, predict_shared_{dut.predict_shared};
  ImmediateSignal<bool> filled_{dut.filled}, filled_from_core_{dut.filled_from_core}, kernel_start_{dut.kernel_start};
  ImmediateSignal<std::uint32_t> predict_pc_{dut.predict_pc}, predict_entry_{dut.predict_entry}, predict_epoch_{dut.predict_epoch};
  ImmediateSignal<std::uint32_t> filled_entry_{dut.filled_entry}, filled_epoch_{dut.filled_epoch};
  Transactor::PortUse query_use_, update_use_;
  LookupTargetPort port_{"port", *this, 0};
};

/// A module, because the link must start in one.
template <class Model>
class LinkedSharingPredictor final : public sc_core::sc_module, public SharingPredictor {
 public:
  LinkedSharingPredictor(sc_core::sc_module_name name, const char* block, const char* parameters)
      : sc_module(name), transactor_("rtl", block, parameters) {
    port_.socket.bind(transactor_.port());
  }

  Answer predict(const Miss& miss) override {
    SharingWord word;
    word.pc = miss.pc;
    port_.read(0, word);
    port_.write(0, word);
    return {word.shared, word.ticket};
  }
  void filled(Ticket ticket, bool from_core) override {
    SharingWord word;
    word.what = SharingWord::What::filled;
    word.ticket = ticket;
    word.from_core = from_core;
    port_.write(0, word);
  }
  void kernel_started() override {
    SharingWord word;
    word.what = SharingWord::What::kernel_start;
    port_.write(0, word);
  }

 private:
  PcTwoBitRtl<Model> transactor_;
  LookupInitiatorPort port_{"to_rtl"};
};

}  // namespace wharf::rtl

#pragma once
// The transactor of bloom.sv: a hit predictor behind the lookup link of a HitPredictorUnit. `Model` is a Verilated parameter set of
// bloom.sv, or of any other RTL with the same ports.

#include <utility>

#include "model/base/error.h"
#include "model/rtl/verilated_transactor.h"
#include "policies/hit_predictor/hit_predictor.h"

namespace wharf::rtl {

template <class Model>
class BloomRtl final : public VerilatedTransactor<Model>, public HitPredictor {
 public:
  BloomRtl(sc_core::sc_module_name name, const char* block, const char* parameters, const HitPredictorOptions& options)
      : VerilatedTransactor<Model>(name, block, parameters), associativity_(options.associativity) {
    for (const std::uint32_t blocks : associativity_)
      if (blocks >= 1u << kCountBits)
        throw InputError("the hit predictor bloom_rtl counts up to 1023 blocks of a set; choose smaller sets");
  }

  // Const for the caller: the RTL's inputs change, but its state does not.
  bool predict_hit(const Block& block) const override { return const_cast<BloomRtl*>(this)->query(block); }

  bool accessed(const Block& block, bool all_touched) override {
    const typename Transactor::Operation operation(*this, update_port_);
    update_.write(true);
    update_row_.write(block.row);
    update_tag_.write(tag_of(block));
    update_all_touched_.write(all_touched);
    this->settle_before_edge();
    const bool swap = update_swap_.read();
    this->rise();
    update_.write(false);
    return swap;
  }

 private:
  static constexpr unsigned kTagBits = 23, kCountBits = 10;  // as in bloom.sv

  void configure() override {
    configure_.write(true);
    for (std::uint32_t row = 0; row < associativity_.size(); ++row) {
      configure_row_.write(row);
      configure_associativity_.write(associativity_[row]);
      this->clock_edge();
    }
    configure_.write(false);
  }

  bool query(const Block& block) {
    const typename Transactor::Operation operation(*this, query_port_);
    query_row_.write(block.row);
    query_tag_.write(tag_of(block));
    this->settle();
    return query_hit_.read();
  }

  static std::uint32_t tag_of(const Block& block) {
    if (block.tag >> kTagBits != 0) throw SimulationError("bloom_rtl: a tag of more than 23 bits");
    return block.tag;
  }

  using VerilatedTransactor<Model>::dut;
  ImmediateSignal<bool> configure_{dut.configure}, update_{dut.update}, update_all_touched_{dut.update_all_touched};
  ImmediateSignal<bool> query_hit_{dut.query_hit}, update_swap_{dut.update_swap};
  ImmediateSignal<std::uint32_t> configure_row_{dut.configure_row}, configure_associativity_{dut.configure_associativity};
  ImmediateSignal<std::uint32_t> query_row_{dut.query_row}, query_tag_{dut.query_tag};
  ImmediateSignal<std::uint32_t> update_row_{dut.update_row}, update_tag_{dut.update_tag};
  Transactor::PortUse query_port_, update_port_;
  std::vector<std::uint32_t> associativity_;
};

}  // namespace wharf::rtl

#pragma once
// Modules that use only TLM-2.0 and nothing of this model: initiators and memories, loosely and approximately timed. They show how users
// connect their own modules to a block (docs/tlm.md). They are installed with the package, and a protocol violation ends the run with
// SC_REPORT_ERROR.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "model/base/types.h"

namespace wharf::foreign_rig {

using Bytes = std::vector<unsigned char>;
using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;

inline constexpr unsigned kMemoryBytes = 64 * 1024;
inline sc_time ps(Picoseconds value) { return sc_time::from_value(value); }
inline void expect(bool condition, const std::string& what) {
  if (!condition) SC_REPORT_ERROR("foreign module", what.c_str());
}
inline Picoseconds now_ps() { return sc_core::sc_time_stamp().value(); }

/// A byte that encodes its address.
inline unsigned char pattern(Address address) { return static_cast<unsigned char>(address * 7 + address / 251); }
inline Bytes pattern_at(Address address, unsigned bytes) {
  Bytes expected;
  for (unsigned i = 0; i < bytes; ++i) expected.push_back(pattern(address + i));
  return expected;
}

/// The bytes of a memory, and its handling of transactions.
struct Store {
  Store() : bytes(kMemoryBytes) {
    for (unsigned i = 0; i < kMemoryBytes; ++i) bytes[i] = pattern(i);
  }
  void access(tlm::tlm_generic_payload& transaction) {
    ++accesses;
    if (refuse_byte_enables && transaction.get_byte_enable_ptr() != nullptr)
      return transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (transaction.get_address() + transaction.get_data_length() > bytes.size())
      return transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (unsigned i = 0; i < transaction.get_data_length(); ++i) {
      if (transaction.get_byte_enable_ptr() != nullptr && transaction.get_byte_enable_ptr()[i % transaction.get_byte_enable_length()] == 0)
        continue;
      unsigned char& here = bytes[transaction.get_address() + i];
      unsigned char& there = transaction.get_data_ptr()[i];
      transaction.is_write() ? here = there : there = here;
    }
    transaction.set_response_status(status);
  }
  unsigned debug(tlm::tlm_generic_payload& transaction) {
    if (transaction.get_address() >= bytes.size()) return 0;
    const unsigned count =
        std::min<unsigned>(transaction.get_data_length(), static_cast<unsigned>(bytes.size() - transaction.get_address()));
    unsigned char* const here = bytes.data() + transaction.get_address();
    transaction.is_write() ? std::memcpy(here, transaction.get_data_ptr(), count) : std::memcpy(transaction.get_data_ptr(), here, count);
    return count;
  }
  Bytes bytes;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  bool refuse_byte_enables = false;
  unsigned accesses = 0;
};

/// Only b_transport and debug access.
struct LtMemory : sc_core::sc_module {
  explicit LtMemory(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &LtMemory::b_transport);
    socket.register_transport_dbg(this, &LtMemory::debug);
  }
  tlm_utils::simple_target_socket<LtMemory> socket{"socket"};
  Store store;
  sc_time latency{80, SC_NS};

 private:
  void b_transport(tlm::tlm_generic_payload& transaction, sc_time& time) {
    store.access(transaction);
    time += latency;
  }
  unsigned debug(tlm::tlm_generic_payload& transaction) { return store.debug(transaction); }
};

/// The return value of the request, and the phases that follow.
enum class Sequence { four_phases, response_at_once, updated_to_response, completed, updated_late };

/// A memory with phases that accepts several requests at a time.
struct AtMemory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  SC_HAS_PROCESS(AtMemory);
  explicit AtMemory(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    SC_METHOD(work);
    sensitive << event;
    dont_initialize();
  }
  tlm::tlm_target_socket<> socket{"socket"};
  Store store;
  std::function<Sequence()> sequence = [] { return Sequence::four_phases; };
  Picoseconds accept_after = 3'000, latency = 90'000;
  std::size_t most_open = 0;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_time& time) override {
    const Picoseconds at = now_ps() + time.value();
    if (phase == tlm::END_RESP) {
      responding = false;
      event.notify(sc_core::SC_ZERO_TIME);
      transaction.release();
      return tlm::TLM_COMPLETED;
    }
    expect(phase == tlm::BEGIN_REQ, "the memory expects BEGIN_REQ");
    switch (sequence()) {
      case Sequence::completed:
        store.access(transaction);
        time += ps(latency);
        return tlm::TLM_COMPLETED;
      case Sequence::updated_to_response:
        if (responding) break;
        store.access(transaction);
        responding = true;
        transaction.acquire();
        phase = tlm::BEGIN_RESP;
        time += ps(latency);
        return tlm::TLM_UPDATED;
      case Sequence::updated_late:
        open(transaction, at + latency);
        phase = tlm::END_REQ;
        time += ps(accept_after);
        return tlm::TLM_UPDATED;
      case Sequence::response_at_once:
        open(transaction, at + latency);
        return tlm::TLM_ACCEPTED;
      case Sequence::four_phases:
        break;
    }
    add(at + accept_after, [this, &transaction] { call(transaction, tlm::END_REQ); });
    open(transaction, at + accept_after + latency);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_time&) override { expect(false, "the memory has no b_transport"); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override { return store.debug(transaction); }

 private:
  tlm::tlm_sync_enum call(tlm::tlm_generic_payload& transaction, tlm::tlm_phase phase) {
    sc_time none;
    return socket->nb_transport_bw(transaction, phase, none);
  }
  void open(tlm::tlm_generic_payload& transaction, Picoseconds at) {
    transaction.acquire();
    most_open = std::max(most_open, ++opened);
    add(at, [this, &transaction] { respond(transaction); });
  }
  void respond(tlm::tlm_generic_payload& transaction) {
    if (responding) {
      waiting.push_back(&transaction);
      return;
    }
    store.access(transaction);
    --opened;
    responding = true;
    if (call(transaction, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return;
    responding = false;
    transaction.release();
    event.notify(sc_core::SC_ZERO_TIME);
  }
  void add(Picoseconds at, std::function<void()> what) {
    due.emplace(at, std::move(what));
    event.notify(ps(at - now_ps()));
  }
  void work() {
    if (!waiting.empty() && !responding) {
      tlm::tlm_generic_payload& first = *waiting.front();
      waiting.erase(waiting.begin());
      respond(first);
    }
    while (!due.empty() && due.begin()->first <= now_ps()) {
      const auto what = std::move(due.begin()->second);
      due.erase(due.begin());
      what();
    }
    if (!due.empty()) event.notify(ps(due.begin()->first - now_ps()));
    if (!waiting.empty() && !responding) event.notify(sc_core::SC_ZERO_TIME);
  }
  sc_core::sc_event event;
  std::multimap<Picoseconds, std::function<void()>> due;
  std::vector<tlm::tlm_generic_payload*> waiting;
  std::size_t opened = 0;
  bool responding = false;
};

/// A payload without our extension and without a memory manager.
struct Plain : tlm::tlm_generic_payload {
  Plain(tlm::tlm_command command, Address address, unsigned char* data, unsigned bytes) {
    set_command(command);
    set_address(address);
    set_data_ptr(data);
    set_data_length(bytes);
    set_streaming_width(bytes);
  }
};

/// A blocking initiator: a thread that runs the given program.
struct LtInitiator : sc_core::sc_module {
  SC_HAS_PROCESS(LtInitiator);
  LtInitiator(sc_core::sc_module_name name, std::function<void(LtInitiator&)> program) : sc_module(name), program(std::move(program)) {
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<LtInitiator> socket{"socket"};
  std::function<void(LtInitiator&)> program;
  bool ended = false;

  tlm::tlm_response_status transport(tlm::tlm_generic_payload& transaction, sc_time time = {}) {
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(transaction, time);
    return transaction.get_response_status();
  }
  Bytes read(Address address, unsigned bytes) {
    Bytes data(bytes);
    Plain transaction(tlm::TLM_READ_COMMAND, address, data.data(), bytes);
    expect(transport(transaction) == tlm::TLM_OK_RESPONSE, transaction.get_response_string());
    return data;
  }
  void write(Address address, Bytes data) {
    Plain transaction(tlm::TLM_WRITE_COMMAND, address, data.data(), static_cast<unsigned>(data.size()));
    expect(transport(transaction) == tlm::TLM_OK_RESPONSE, transaction.get_response_string());
  }
  Bytes debug_read(Address address, unsigned bytes) {
    Bytes data(bytes);
    Plain transaction(tlm::TLM_READ_COMMAND, address, data.data(), bytes);
    expect(socket->transport_dbg(transaction) == bytes, "debug access reads less");
    return data;
  }
  void debug_write(Address address, Bytes data) {
    Plain transaction(tlm::TLM_WRITE_COMMAND, address, data.data(), static_cast<unsigned>(data.size()));
    expect(socket->transport_dbg(transaction) == data.size(), "debug access writes less");
  }

 private:
  void run() {
    program(*this);
    ended = true;
  }
};

/// An initiator with phases, its own payloads and its own memory manager.
struct AtInitiator : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  SC_HAS_PROCESS(AtInitiator);
  struct Transaction : tlm::tlm_generic_payload {
    explicit Transaction(tlm::tlm_mm_interface* mm) : tlm_generic_payload(mm) {}
    Bytes data;
    Picoseconds sent = 0, accepted = 0, answered = 0;
    tlm::tlm_response_status result = tlm::TLM_INCOMPLETE_RESPONSE;
  };
  explicit AtInitiator(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
    SC_METHOD(work);
    sensitive << event;
    dont_initialize();
  }
  tlm::tlm_initiator_socket<> socket{"socket"};
  std::vector<std::unique_ptr<Transaction>> sent;
  std::function<bool()> takes = [] { return true; };  // the response at once
  std::function<void(Transaction&)> heard;
  Picoseconds annotated = 0;  // time of BEGIN_REQ
  unsigned freed = 0;

  Transaction& send(tlm::tlm_command command, Address address, Bytes data) {
    sent.push_back(std::make_unique<Transaction>(this));
    Transaction& transaction = *sent.back();
    transaction.data = std::move(data);
    transaction.acquire();
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(transaction.data.data());
    transaction.set_data_length(static_cast<unsigned>(transaction.data.size()));
    transaction.set_streaming_width(transaction.get_data_length());
    queue.push_back(&transaction);
    event.notify(sc_core::SC_ZERO_TIME);
    return transaction;
  }
  /// END_RESP for the response that was not taken.
  void accept_waiting() {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time none;
    Transaction& transaction = *std::exchange(untaken, nullptr);
    socket->nb_transport_fw(transaction, phase, none);
    transaction.release();
  }
  Transaction* untaken = nullptr;

 private:
  void free(tlm::tlm_generic_payload*) override { ++freed; }
  void work() {
    while (!queue.empty() && !requesting) {
      Transaction& transaction = *queue.front();
      queue.erase(queue.begin());
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time time = ps(annotated);
      transaction.sent = now_ps() + annotated;
      requesting = true;
      const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction, phase, time);
      if (status == tlm::TLM_ACCEPTED) continue;
      requesting = false;
      transaction.accepted = now_ps() + time.value();
      if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) continue;
      answer(transaction, time.value());
      if (status == tlm::TLM_UPDATED) {
        phase = tlm::END_RESP;
        socket->nb_transport_fw(transaction, phase, time);
      }
      transaction.release();
    }
  }
  void answer(Transaction& transaction, Picoseconds delay) {
    transaction.answered = now_ps() + delay;
    transaction.result = transaction.get_response_status();
    if (heard) heard(transaction);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& generic, tlm::tlm_phase& phase, sc_time& time) override {
    auto& transaction = static_cast<Transaction&>(generic);
    if (phase == tlm::END_REQ || transaction.accepted == 0) {
      transaction.accepted = now_ps() + time.value();
      requesting = false;
      event.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    expect(phase == tlm::BEGIN_RESP, "the initiator expects BEGIN_RESP");
    answer(transaction, time.value());
    if (!takes()) {
      expect(untaken == nullptr, "a response before the last has been taken");
      untaken = &transaction;
      return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_RESP;
    transaction.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  std::vector<Transaction*> queue;
  sc_core::sc_event event;
  bool requesting = false;
};

}  // namespace wharf::foreign_rig

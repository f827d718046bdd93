// Partners that use four phases, each by a call of its own, and no return values; and partners that stall. Modelled on the known behaviour
// of DRAMSys: its initiators ignore the result of nb_transport_fw, and its memory ignores TLM_COMPLETED.

#include "model/tlm/gates/gate_options.h"
#include "tests/block/block_rig.h"
#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;
using Catch::Matchers::Contains;

namespace {

GateOptions four_phases() {
  GateOptions options;
  options.phases = GatePhases::four;
  return options;
}

/// An initiator that ignores return values: one request at a time until END_REQ, and END_RESP some time after BEGIN_RESP.
struct DeafInitiator : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  SC_HAS_PROCESS(DeafInitiator);
  struct Request : tlm::tlm_generic_payload {
    explicit Request(tlm::tlm_mm_interface* mm) : tlm_generic_payload(mm) {}
    Bytes data;
    Picoseconds sent = 0, accepted = 0, answered = 0;
  };
  explicit DeafInitiator(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
    SC_THREAD(run);
  }
  tlm::tlm_initiator_socket<> socket{"socket"};
  std::vector<std::unique_ptr<Request>> requests;
  Picoseconds end_after = 2'000;
  bool ends = true;

  void add(tlm::tlm_command command, Address address, Bytes data) {
    requests.push_back(std::make_unique<Request>(this));
    Request& request = *requests.back();
    request.data = std::move(data);
    request.acquire();
    request.set_command(command);
    request.set_address(address);
    request.set_data_ptr(request.data.data());
    request.set_data_length(static_cast<unsigned>(request.data.size()));
    request.set_streaming_width(request.get_data_length());
    request.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

 private:
  void free(tlm::tlm_generic_payload*) override {}
  void run() {
    sc_core::wait(ps(100'000));
    for (const auto& request : requests) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time none;
      request->sent = now_ps();
      socket->nb_transport_fw(*request, phase, none);
      if (request->accepted == 0) sc_core::wait(request_ended);
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& generic, tlm::tlm_phase& phase, sc_time& time) override {
    auto& request = static_cast<Request&>(generic);
    if (phase == tlm::END_REQ) {
      request.accepted = now_ps() + time.value();
      request_ended.notify(time);
      return tlm::TLM_ACCEPTED;
    }
    expect(phase == tlm::BEGIN_RESP && request.accepted != 0, "BEGIN_RESP after END_REQ");
    request.answered = now_ps() + time.value();
    if (ends)
      sc_core::sc_spawn([this, &request] {
        sc_core::wait(ps(request.answered + end_after - now_ps()));
        tlm::tlm_phase end = tlm::END_RESP;
        sc_time none;
        socket->nb_transport_fw(request, end, none);
        request.release();
      });
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  sc_core::sc_event request_ended;
};

/// A memory that ignores return values. It prepares the next answer after END_RESP has come by a call.
struct DeafMemory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  SC_HAS_PROCESS(DeafMemory);
  explicit DeafMemory(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    SC_THREAD(serve);
  }
  tlm::tlm_target_socket<> socket{"socket"};
  Store store;
  unsigned ends = 0;
  bool accepts = true, answers = true;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_time& time) override {
    if (phase == tlm::END_RESP) {
      ++ends;
      ended.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_ACCEPTED;
    }
    transaction.acquire();
    queue.emplace_back(&transaction, now_ps() + time.value());
    came.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  void call(tlm::tlm_generic_payload& transaction, tlm::tlm_phase phase) {
    sc_time none;
    socket->nb_transport_bw(transaction, phase, none);
  }
  void serve() {
    for (;;) {
      while (queue.empty()) sc_core::wait(came);
      tlm::tlm_generic_payload& transaction = *queue.front().first;
      const Picoseconds at = std::max(queue.front().second, now_ps());
      queue.erase(queue.begin());
      sc_core::wait(ps(at + 3'000 - now_ps()));
      if (!accepts) return;
      call(transaction, tlm::END_REQ);
      sc_core::wait(ps(40'000));
      if (!answers) return;
      store.access(transaction);
      call(transaction, tlm::BEGIN_RESP);
      sc_core::wait(ended);
      transaction.release();
    }
  }
  void b_transport(tlm::tlm_generic_payload&, sc_time&) override { expect(false, "no b_transport"); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override { return store.debug(transaction); }
  std::vector<std::pair<tlm::tlm_generic_payload*, Picoseconds>> queue;  // each with its due time
  sc_core::sc_event came, ended;
};

}  // namespace

TEST_CASE("four phases: an initiator that ignores return values gets every phase by a call, refused transactions included") {
  L1System<LtMemory> system;
  set_gate(system.entry(), four_phases());
  DeafInitiator initiator("initiator");
  for (unsigned i = 0; i < 6; ++i) initiator.add(tlm::TLM_READ_COMMAND, 0x100 * i, Bytes(160));
  initiator.add(tlm::TLM_WRITE_COMMAND, 0x102, {1, 2});
  initiator.add(tlm::TLM_READ_COMMAND, 0x101, Bytes(4));
  initiator.add(tlm::TLM_IGNORE_COMMAND, 0, Bytes(4));
  initiator.add(tlm::TLM_READ_COMMAND, ~Address{0} - 1, Bytes(4));
  system.join(initiator.socket, system.entry());
  system.run();
  for (const auto& request : initiator.requests) {
    CHECK(request->accepted >= request->sent);
    CHECK(request->answered >= request->accepted);
    CHECK(request->get_ref_count() == 0);
  }
  for (unsigned i = 0; i < 6; ++i) CHECK(initiator.requests[i]->data == pattern_at(0x100 * i, 160));
  CHECK(initiator.requests[7]->data == Bytes{pattern(0x101), 1, 2, pattern(0x104)});
  CHECK(initiator.requests[8]->get_response_status() == tlm::TLM_OK_RESPONSE);
  CHECK(initiator.requests[9]->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_CASE("four phases: an access takes as long as with return values") {
  L2System<LtMemory> system;
  set_gate(system.entry(), four_phases());
  DeafInitiator initiator("initiator");
  initiator.add(tlm::TLM_READ_COMMAND, 0x1000, Bytes(4));
  system.join(initiator.socket, system.entry());
  system.run();
  // Arrival at the next edge, lookup, dram_extra_cycles, 80 ns, seen at the next edge, fill_cycles.
  CHECK(initiator.requests[0]->answered - initiator.requests[0]->sent == (1 + 20 - 1 + 10 + 80 + 1 + 3) * 1000);
}

TEST_CASE("four phases: a memory that ignores TLM_COMPLETED gets END_RESP by a call") {
  L2System<DeafMemory> system;
  set_gate(system.l2.downstream(), four_phases());
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    for (unsigned line = 0; line < 24; ++line) self.write(128 * line + 5, {static_cast<unsigned char>(line)});
    for (unsigned line = 0; line < 24; ++line)
      CHECK(self.read(128 * line + 4, 2) == Bytes{pattern(128 * line + 4), static_cast<unsigned char>(line)});
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
  CHECK(system.memory.ends == system.memory.store.accesses);
  CHECK(system.count("l2.writebacks") >= 24 - 16);
}

TEST_CASE("four phases: without the option such a memory waits for an END_RESP that was returned, and is named as the one that stalls") {
  L2System<DeafMemory> system(small_l2(), TransactionUnit::line, false);
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    self.read(0, 4);
    self.read(0x1000, 4);
  });
  initiator.socket.bind(system.entry());
  CHECK_THROWS_WITH(run_kernel(),
                    Contains("l2.downstream: memory.socket has sent no END_REQ or BEGIN_RESP for the read at 0x1000 in 1000000000 ps"));
}

TEST_CASE("stall: a memory that does not accept a request is named after the time that is set") {
  L2System<DeafMemory> system(small_l2(), TransactionUnit::line, false);
  GateOptions options = four_phases();
  options.stall = sc_time(5, sc_core::SC_US);
  set_gate(system.l2.downstream(), options);
  system.memory.accepts = false;
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0x1280, 4); });
  initiator.socket.bind(system.entry());
  CHECK_THROWS_WITH(run_kernel(), Contains("memory.socket has sent no END_REQ or BEGIN_RESP for the read at 0x1280 in 5000000 ps") &&
                                      Contains("GateOptions::stall"));
}

TEST_CASE("stall: a memory that does not answer is named") {
  L2System<DeafMemory> system(small_l2(), TransactionUnit::line, false);
  system.memory.answers = false;
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0x1280, 4); });
  initiator.socket.bind(system.entry());
  CHECK_THROWS_WITH(run_kernel(), Contains("memory.socket has sent no BEGIN_RESP for the read at 0x1280"));
}

TEST_CASE("stall: an initiator that does not take its response is named") {
  L2System<LtMemory> system;
  set_gate(system.entry(), four_phases());
  DeafInitiator initiator("initiator");
  initiator.ends = false;
  initiator.add(tlm::TLM_READ_COMMAND, 0x40, Bytes(4));
  initiator.socket.bind(system.entry());
  CHECK_THROWS_WITH(run_kernel(), Contains("l2.upstream") && Contains("has sent no END_RESP for the read at 0x40 in 1000000000 ps"));
}

TEST_CASE("stall: no time is watched where it is set to zero") {
  L2System<DeafMemory> system(small_l2(), TransactionUnit::line, false);
  GateOptions options;
  options.stall = sc_core::SC_ZERO_TIME;
  set_gate(system.l2.downstream(), options);
  system.memory.answers = false;
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0x1280, 4); });
  initiator.socket.bind(system.entry());
  run_kernel();
  CHECK(now_ps() < 1'000'000);
  CHECK_FALSE(initiator.ended);
}

TEST_CASE("stall: nothing is watched after the last answer") {
  L2System<DeafMemory> system;
  set_gate(system.l2.downstream(), four_phases());
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0x1280, 4); });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(now_ps() < 1'000'000);
  CHECK(initiator.ended);
}

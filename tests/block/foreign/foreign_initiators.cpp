// Foreign initiators before an L1 and an L2 slice: blocking and with phases, without our extension, with their own memory management
// (docs/tlm.md).

#include "model/dram/dram_channel.h"
#include "tests/block/block_rig.h"
#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;

// The example of docs/tlm.md.
TEST_CASE("foreign initiator: a blocking one reads and writes through an L2 slice and a memory of its own kind") {
  L2System<LtMemory> system;
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    CHECK(self.read(0x1000, 4) == pattern_at(0x1000, 4));
    self.write(0x1002, {1, 2, 3});
    CHECK(self.read(0x1000, 6) == Bytes{pattern(0x1000), pattern(0x1001), 1, 2, 3, pattern(0x1005)});
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
  CHECK(system.count("l2.misses") == 1);
  CHECK(system.count("l2.hits") == 2);
  CHECK(system.memory.store.bytes[0x1002] == pattern(0x1002));  // L2 is write-back
}

TEST_CASE("foreign initiator: a blocking one takes as long as the accesses that it makes") {
  L2System<LtMemory> system;
  std::vector<Picoseconds> times;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    sc_core::wait(100, SC_NS);
    for (Address address : {0x1000, 0x1040, 0x1080}) {
      const Picoseconds before = now_ps();
      self.read(address, 4);
      times.push_back(now_ps() - before);
    }
  });
  system.join(initiator.socket, system.entry());
  system.run();
  // Arrival at the next edge, lookup, dram_extra_cycles, 80 ns, seen at the next edge, fill_cycles. Or arrival, access_cycles.
  const Picoseconds miss = (1 + 20 - 1 + 10 + 80 + 1 + 3) * 1000, hit = (1 + 20) * 1000;
  CHECK(times == std::vector<Picoseconds>{miss, hit, miss});
}

TEST_CASE("foreign initiator: with phases, the same access takes as long as from a port of this model") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.annotated = 1000;
  block_rig::Script script(system.clock);
  script.at(49, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x2000, Bytes(128)); });
  script.at(499, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x2000, Bytes(128)); });
  system.join(initiator.socket, system.entry());
  system.run();
  REQUIRE(initiator.sent.size() == 2);
  CHECK(initiator.sent[1]->sent == system.clock.edge(500));
  CHECK(initiator.sent[1]->accepted == system.clock.edge(500));
  CHECK(initiator.sent[1]->answered == system.clock.edge(500 + 20));  // as in the test of the L2 slice: access_cycles
  CHECK(initiator.sent[0]->data == pattern_at(0x2000, 128));
  CHECK(initiator.freed == 2);
}

TEST_CASE("foreign initiator: through an L1 a hit takes its tag and data cycles, a store goes below") {
  L1System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.annotated = 1000;
  block_rig::Script script(system.clock);
  script.at(49, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x2010, Bytes(8)); });
  script.at(499, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x2000, Bytes(32)); });
  script.at(599, [&] { initiator.send(tlm::TLM_WRITE_COMMAND, 0x2004, Bytes{9, 9}); });
  script.at(999, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x2003, Bytes(4)); });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.sent[1]->answered == system.clock.edge(500 + 4 + 24));
  CHECK(initiator.sent[3]->data == Bytes{pattern(0x2003), 9, 9, pattern(0x2006)});
  CHECK(system.count("l1.load.accesses") == 3);
  CHECK(system.count("l2.stores") == 1);
}

TEST_CASE("foreign initiator: its calls come between edges, long after anything has happened, and arrive at the next edge") {
  L1System<LtMemory> system;
  std::vector<Picoseconds> ends;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    self.read(0, 4);
    sc_core::wait(ps(123'456'789 - now_ps()));
    self.read(0, 4);
    ends.push_back(now_ps());
    sc_core::wait(ps(923'456'001 - now_ps()));
    self.read(4, 4);
    ends.push_back(now_ps());
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(ends == std::vector<Picoseconds>{123'457'000 + (4 + 24) * 1000, 923'457'000 + (4 + 24) * 1000});
}

TEST_CASE("foreign initiator: what a blocking call brings as its own time passes before the access begins") {
  L1System<LtMemory> system;
  Picoseconds end = 0;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    self.read(0, 4);
    sc_core::wait(ps(1'000'000 - now_ps()));
    Bytes data(4);
    Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), 4);
    sc_time ahead(70, SC_NS);
    self.socket->b_transport(transaction, ahead);
    CHECK(transaction.get_response_status() == tlm::TLM_OK_RESPONSE);
    CHECK(ahead == sc_core::SC_ZERO_TIME);
    end = now_ps();
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(end == 1'000'000 + 70'000 + (1 + 4 + 24) * 1000);
}

TEST_CASE("foreign initiator: a request with a time far ahead waits for it, and is accepted then") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.annotated = 300'000;
  block_rig::Script script(system.clock);
  script.at(10, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0, Bytes(4)); });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.sent[0]->accepted == system.clock.edge(310));
  CHECK(initiator.sent[0]->answered == system.clock.edge(310 + 20 + 10 + 80 + 1 + 3 - 1));
}

TEST_CASE("foreign initiator: many transactions are outstanding at a time, and a full queue holds the next request back") {
  L2Params params = small_l2();
  params.access_cycles = 1;
  params.input_queue = 1;
  params.mshr_entries = 2;
  L2System<AtMemory> system(params);
  AtInitiator initiator("initiator");
  initiator.annotated = 1000;
  block_rig::Script script(system.clock);
  script.at(10, [&] {
    for (unsigned i = 0; i < 8; ++i) initiator.send(tlm::TLM_READ_COMMAND, 128 * i, Bytes(128));
  });
  system.join(initiator.socket, system.entry());
  system.run();
  for (unsigned i = 0; i < 8; ++i) CHECK(initiator.sent[i]->data == pattern_at(128 * i, 128));
  // Two are at the memory, two in the slice. The next waits until the memory has answered, 80 cycles after the request.
  CHECK(initiator.sent[3]->accepted <= system.clock.edge(15));
  CHECK(initiator.sent[4]->accepted >= system.clock.edge(11 + 10 + 80));
  CHECK(system.memory.most_open > 1);
}

TEST_CASE("foreign initiator: a response that it does not take holds the next one back") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.takes = [n = 0]() mutable { return n++ != 0; };
  block_rig::Script script(system.clock);
  script.at(10, [&] {
    for (unsigned i = 0; i < 2; ++i) initiator.send(tlm::TLM_READ_COMMAND, 32 * i, Bytes(4));
  });
  script.at(500, [&] { initiator.accept_waiting(); });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.sent[0]->answered < system.clock.edge(200));
  CHECK(initiator.sent[1]->answered == system.clock.edge(500));
}

TEST_CASE("foreign initiator: a transaction across lines is served as one access a line, one a cycle, and answered with the last") {
  L1System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.annotated = 1000;
  block_rig::Script script(system.clock);
  script.at(9, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x100, Bytes(128 * 3)); });
  script.at(999, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0x17F, Bytes(130)); });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.sent[1]->data == pattern_at(0x17F, 130));
  CHECK(initiator.sent[1]->accepted == system.clock.edge(1002));
  CHECK(initiator.sent[1]->answered == system.clock.edge(1002 + 4 + 24));
  CHECK(system.count("l1.load.accesses") == 6);
}

TEST_CASE("foreign initiator: where a transaction of the machine is a sector, each sector is an access") {
  L1System<LtMemory> system(small_l1(true), TransactionUnit::sector);
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    CHECK(self.read(0x1F0, 128) == pattern_at(0x1F0, 128));
    self.write(0x21E, {1, 2, 3, 4});
    CHECK(self.read(0x21E, 4) == Bytes{1, 2, 3, 4});
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(system.count("l1.load.accesses") == 5 + 2);
}

TEST_CASE("foreign initiator: several threads may block at one socket") {
  L1System<AtMemory> system;
  struct Pair : LtInitiator {
    SC_HAS_PROCESS(Pair);
    Pair(sc_core::sc_module_name name, std::function<void(LtInitiator&)> program) : LtInitiator(name, std::move(program)) {
      SC_THREAD(second);
    }
    void second() {
      for (unsigned i = 0; i < 20; ++i) CHECK(read(4096 + 128 * i, 8) == pattern_at(4096 + 128 * i, 8));
      done = true;
    }
    bool done = false;
  };
  Pair initiator("initiator", [&](LtInitiator& self) {
    for (unsigned i = 0; i < 20; ++i) CHECK(self.read(128 * i, 8) == pattern_at(128 * i, 8));
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
  CHECK(initiator.done);
}

TEST_CASE("foreign initiator: a blocking call from a method process is refused with an error response") {
  L2System<LtMemory> system;
  sc_core::sc_report_handler::set_actions("wharf", sc_core::SC_WARNING, sc_core::SC_CACHE_REPORT);
  LtInitiator initiator("initiator", [](LtInitiator&) {});
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  std::string warning;
  block_rig::Script script(system.clock);
  script.at(5, [&] {
    Bytes data(4);
    Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), 4);
    status = initiator.transport(transaction);
    if (const auto* report = sc_core::sc_report_handler::get_cached_report()) warning = report->get_msg();
  });
  initiator.socket.bind(system.entry());  // a protocol checker would end the run
  system.run();
  CHECK(status == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK_THAT(warning, Catch::Matchers::Contains("call it from a thread"));
}

TEST_CASE("foreign initiator: BEGIN_REQ before the last request was accepted ends the run") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.annotated = 300'000;
  initiator.socket.bind(system.entry());
  block_rig::Script script(system.clock);
  script.at(5, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0, Bytes(4)); });
  script.at(9, [&] {
    AtInitiator::Transaction other(nullptr);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time none;
    initiator.socket->nb_transport_fw(other, phase, none);
  });
  CHECK_THROWS_WITH(run_kernel(), Catch::Matchers::Contains("BEGIN_REQ before the last request was accepted"));
}

TEST_CASE("foreign initiator: one that runs ahead by a quantum meets the caches at the times of its accesses") {
  L1System<LtMemory> system;
  struct Times {
    Picoseconds called, returned;
  };
  std::vector<Times> times;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    tlm_utils::tlm_quantumkeeper keeper;
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, sc_core::SC_US));
    keeper.reset();
    self.read(0, 4);
    const Picoseconds start = now_ps();
    for (unsigned i = 0; i < 3; ++i) {
      keeper.inc(sc_time(300, SC_NS));  // work without any access
      sc_time local = keeper.get_local_time();
      Bytes data(4);
      Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), 4);
      const Picoseconds called = now_ps() + local.value();
      self.socket->b_transport(transaction, local);
      CHECK(transaction.get_response_status() == tlm::TLM_OK_RESPONSE);
      keeper.set(local);
      times.push_back({called - start, now_ps() + local.value() - start});
    }
  });
  system.join(initiator.socket, system.entry());
  system.run();
  const Picoseconds hit = (1 + 4 + 24) * 1000;
  REQUIRE(times.size() == 3);
  for (unsigned i = 0; i < 3; ++i) {
    CHECK(times[i].called == (i + 1) * 300'000 + i * hit);
    CHECK(times[i].returned == times[i].called + hit);
  }
}

TEST_CASE("foreign initiator: at a DRAM channel it reads what it has written, and so does debug access") {
  ClockDomain clock("clock", 1000, {});
  stats::Registry registry;
  OverlayImage image;
  SectorContents contents(image);
  const auto addresses = make_address_map("interleave", 1, 1);
  DramChannel channel("channel", {}, 4, 0, {clock, registry, *addresses, 1, true, 0, &contents});
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    CHECK(self.read(0x3FE, 4) == Bytes(4));
    self.write(0x3FE, {1, 2, 3, 4});
    CHECK(self.read(0x3FD, 6) == Bytes{0, 1, 2, 3, 4, 0});
    CHECK(self.debug_read(0x3FD, 6) == Bytes{0, 1, 2, 3, 4, 0});
    self.debug_write(0x3FF, {9});
    CHECK(self.read(0x3FE, 4) == Bytes{1, 9, 3, 4});
  });
  initiator.socket.bind(channel.upstream(0));
  run_kernel();
  CHECK(initiator.ended);
  CHECK(test::counted(registry, "dram.writes") == 2);
}

TEST_CASE("foreign initiator: a full queue after a long silence takes the next request when there is room") {
  L1Params params = small_l1();
  params.tag_cycles = 1;
  params.input_queue = 1;
  params.mshr_targets = 1;
  L1System<LtMemory> system(params);
  AtInitiator initiator("initiator");
  initiator.heard = [&, n = 0](AtInitiator::Transaction&) mutable {
    initiator.annotated = 0;
    for (unsigned i = 0; i < 4 && n == 0; ++i) initiator.send(tlm::TLM_READ_COMMAND, 128 + 4 * i, Bytes(4));
    ++n;
  };
  initiator.annotated = 123'456'789;
  initiator.send(tlm::TLM_READ_COMMAND, 0, Bytes(4));
  system.join(initiator.socket, system.entry());
  system.run();
  REQUIRE(initiator.sent.size() == 5);
  // The first of four misses. The second waits for its fill at the head of the queue, the third after it, and the fourth for a place.
  const Picoseconds first = initiator.sent[1]->answered;
  CHECK(initiator.sent[4]->accepted >= first - 3 * 714);
  CHECK(initiator.sent[3]->accepted < first - 20 * 714);
  for (unsigned i = 2; i <= 4; ++i) CHECK(initiator.sent[i]->answered > initiator.sent[i - 1]->answered);
  CHECK(initiator.sent[4]->result == tlm::TLM_OK_RESPONSE);
}

// Debug access through caches that hold dirty lines, also between two caches.

#include "tests/block/block_rig.h"
#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;

namespace {

template <class System>
void run_program(System& system, const std::function<void(LtInitiator&)>& program) {
  LtInitiator initiator("initiator", program);
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
}

}  // namespace

TEST_CASE("debug access: reads dirty bytes from L2, across lines, and absent bytes from memory") {
  L2System<LtMemory> system;
  run_program(system, [&](LtInitiator& self) {
    self.write(0x17E, {1, 2, 3, 4});
    const unsigned accesses = system.memory.store.accesses;
    CHECK(self.debug_read(0x17D, 6) == Bytes{pattern(0x17D), 1, 2, 3, 4, pattern(0x182)});
    CHECK(self.debug_read(0x900, 1) == Bytes{pattern(0x900)});
    CHECK(system.memory.store.accesses == accesses);
    CHECK(system.memory.store.bytes[0x17E] == pattern(0x17E));
  });
}

TEST_CASE("debug access: takes no time and changes no counter") {
  L1System<LtMemory> system;
  run_program(system, [&](LtInitiator& self) {
    self.read(0, 4);
    const Picoseconds before = now_ps();
    const auto loads = system.count("l1.load.accesses"), l2_loads = system.count("l2.loads");
    self.debug_read(0, 4096);
    CHECK(now_ps() == before);
    CHECK(system.count("l1.load.accesses") == loads);
    CHECK(system.count("l2.loads") == l2_loads);
  });
}

TEST_CASE("debug access: a write changes every copy on the way down, and memory") {
  L1System<LtMemory> system;
  run_program(system, [&](LtInitiator& self) {
    self.read(0x200, 4);              // in L1 and L2, clean
    self.write(0x280, {1, 2, 3, 4});  // dirty in L2
    self.debug_write(0x201, {7, 8});
    self.debug_write(0x27F, {9, 9, 9});
    CHECK(self.read(0x200, 4) == Bytes{pattern(0x200), 7, 8, pattern(0x203)});
    CHECK(self.read(0x27F, 5) == Bytes{9, 9, 9, 3, 4});
    CHECK(self.debug_read(0x27F, 5) == Bytes{9, 9, 9, 3, 4});
    CHECK(system.memory.store.bytes[0x201] == 7);
    CHECK(system.memory.store.bytes[0x280] == 9);
    for (unsigned line = 100; line < 140; ++line) self.read(128 * line, 1);  // the dirty line is written back to memory
    CHECK(system.memory.store.bytes[0x281] == 9);
    CHECK(system.memory.store.bytes[0x282] == 3);
    CHECK(self.read(0x280, 4) == Bytes{9, 9, 3, 4});
  });
}

TEST_CASE("debug access: a line in flight to memory is found") {
  L2System<AtMemory> system;
  system.memory.latency = 400'000;
  AtInitiator initiator("initiator");
  block_rig::Script script(system.clock);
  script.at(10, [&] { initiator.send(tlm::TLM_WRITE_COMMAND, 0x40, Bytes(64, 0xAB)); });
  script.at(3000, [&] {
    for (unsigned i = 0; i < 4; ++i) initiator.send(tlm::TLM_WRITE_COMMAND, 128 * 16 * (i + 1), Bytes(128, 1));
  });
  std::vector<Bytes> seen;
  for (Cycle cycle = 3000; cycle < 5000; cycle += 10)
    script.at(cycle, [&] {
      Bytes data(64);
      Plain transaction(tlm::TLM_READ_COMMAND, 0x40, data.data(), 64);
      CHECK(initiator.socket->transport_dbg(transaction) == 64);
      seen.push_back(data);
    });
  system.join(initiator.socket, system.entry());
  system.run();
  REQUIRE(system.count("l2.writebacks") == 1);
  for (const Bytes& data : seen) REQUIRE(data == Bytes(64, 0xAB));
  CHECK(system.memory.store.bytes[0x40] == 0xAB);
}

TEST_CASE("debug access: ends where memory does, and says how far it came") {
  L2System<LtMemory> system;
  run_program(system, [&](LtInitiator& self) {
    Bytes data(200);
    Plain transaction(tlm::TLM_READ_COMMAND, kMemoryBytes - 150, data.data(), 200);
    CHECK(self.socket->transport_dbg(transaction) == 150);
    transaction.set_command(tlm::TLM_IGNORE_COMMAND);
    CHECK(self.socket->transport_dbg(transaction) == 0);
  });
}

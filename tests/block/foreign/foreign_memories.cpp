// Foreign memories below an L2 slice: loosely timed, and with any legal sequence of phases.

#include "tests/block/block_rig.h"
#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;

namespace {

/// Writes every second sector of more lines than L2 has, and reads all of them again: written back with gaps, and fetched.
void write_and_read(LtInitiator& self) {
  for (unsigned line = 0; line < 24; ++line)
    for (unsigned offset : {5u, 70u})
      self.write(128 * line + offset, {static_cast<unsigned char>(line), static_cast<unsigned char>(offset)});
  for (unsigned line = 0; line < 24; ++line) {
    const Bytes got = self.read(128 * line, 128);
    for (unsigned i = 0; i < 128; ++i) {
      const unsigned char expected = i == 5 || i == 70   ? static_cast<unsigned char>(line)
                                     : i == 6 || i == 71 ? static_cast<unsigned char>(i - 1)
                                                         : pattern(128 * line + i);
      REQUIRE(got[i] == expected);
    }
  }
}

template <class Memory>
void check_memory(const std::function<void(Memory&)>& set_up) {
  L2System<Memory> system;
  set_up(system.memory);
  LtInitiator initiator("initiator", write_and_read);
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
  CHECK(system.count("l2.writebacks") >= 24 - 16);
  CHECK(system.memory.store.bytes[128 * 0 + 70] == 0);
  CHECK(system.memory.store.bytes[128 * 1 + 71] == 70);
  CHECK(system.memory.store.bytes[128 * 1 + 40] == pattern(128 * 1 + 40));
}

void check_miss(Sequence sequence) {
  L2System<AtMemory> system;
  system.memory.sequence = [=] { return sequence; };
  Picoseconds took = 0;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    sc_core::wait(50, SC_NS);
    self.read(0, 4);
    took = now_ps() - 50'000;
  });
  system.join(initiator.socket, system.entry());
  system.run();
  // A response that arrives at an edge, without an annotated time, is seen at the next edge.
  const Cycle seen = sequence == Sequence::response_at_once || sequence == Sequence::updated_late ? 1 : 0;
  CHECK(took == (1 + 20 - 1 + 10 + 90 + seen + 3) * 1000);
}

/// An error response ends the run with a message that gives its place and status.
void check_status(tlm::tlm_response_status status, const char* name) {
  L2System<LtMemory> system(small_l2(), TransactionUnit::line, false);
  system.memory.store.status = status;
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0x1280, 4); });
  initiator.socket.bind(system.entry());
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(run_kernel(),
                    Contains("l2.downstream") && Contains("memory.socket answered") && Contains("the read at 0x1280") && Contains(name));
}

}  // namespace

TEST_CASE("foreign memory: a loosely timed one below L2 gets what L2 writes back and gives what it fetches") {
  check_memory<LtMemory>([](LtMemory&) {});
}

TEST_CASE("foreign memory: one that refuses byte enables gets the sectors of a line in runs without a gap") {
  check_memory<LtMemory>([](LtMemory& memory) { memory.store.refuse_byte_enables = true; });
}

TEST_CASE("foreign memory: with phases, END_REQ and BEGIN_RESP as calls of their own") {
  check_memory<AtMemory>([](AtMemory&) {});
}

TEST_CASE("foreign memory: BEGIN_RESP without END_REQ") {
  check_memory<AtMemory>([](AtMemory& memory) { memory.sequence = [] { return Sequence::response_at_once; }; });
}

TEST_CASE("foreign memory: TLM_UPDATED to BEGIN_RESP, with a time of its own") {
  check_memory<AtMemory>([](AtMemory& memory) { memory.sequence = [] { return Sequence::updated_to_response; }; });
}

TEST_CASE("foreign memory: TLM_COMPLETED with the whole response, with a time of its own") {
  check_memory<AtMemory>([](AtMemory& memory) { memory.sequence = [] { return Sequence::completed; }; });
}

TEST_CASE("foreign memory: TLM_UPDATED to END_REQ later than the request") {
  check_memory<AtMemory>([](AtMemory& memory) { memory.sequence = [] { return Sequence::updated_late; }; });
}

TEST_CASE("foreign memory: phases refused gaps too, in any sequence") {
  check_memory<AtMemory>([](AtMemory& memory) {
    memory.store.refuse_byte_enables = true;
    memory.sequence = [n = 0u]() mutable { return static_cast<Sequence>(n++ % 5); };
  });
}

TEST_CASE("foreign memory: the time of a miss, where it says BEGIN_RESP at once") { check_miss(Sequence::response_at_once); }
TEST_CASE("foreign memory: the time of a miss, where it returns BEGIN_RESP") { check_miss(Sequence::updated_to_response); }
TEST_CASE("foreign memory: the time of a miss, where it returns TLM_COMPLETED") { check_miss(Sequence::completed); }
TEST_CASE("foreign memory: the time of a miss, where it returns a later END_REQ") { check_miss(Sequence::updated_late); }

TEST_CASE("foreign memory: an address error ends the run") { check_status(tlm::TLM_ADDRESS_ERROR_RESPONSE, "TLM_ADDRESS_ERROR_RESPONSE"); }
TEST_CASE("foreign memory: a generic error ends the run") { check_status(tlm::TLM_GENERIC_ERROR_RESPONSE, "TLM_GENERIC_ERROR_RESPONSE"); }
TEST_CASE("foreign memory: a command error ends the run") { check_status(tlm::TLM_COMMAND_ERROR_RESPONSE, "TLM_COMMAND_ERROR_RESPONSE"); }
TEST_CASE("foreign memory: a burst error ends the run") { check_status(tlm::TLM_BURST_ERROR_RESPONSE, "TLM_BURST_ERROR_RESPONSE"); }
TEST_CASE("foreign memory: a byte enable error without byte enables ends the run") {
  check_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "TLM_BYTE_ENABLE_ERROR_RESPONSE");
}
TEST_CASE("foreign memory: an answer without a status ends the run") {
  check_status(tlm::TLM_INCOMPLETE_RESPONSE, "TLM_INCOMPLETE_RESPONSE");
}

TEST_CASE("foreign memory: what somebody else writes to it is seen by the next fetch, and a copy in L2 keeps what it had") {
  L2System<LtMemory> system;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    CHECK(self.read(0x40, 2) == Bytes{pattern(0x40), pattern(0x41)});
    self.write(0x41, {0xAA});
    system.memory.store.bytes[0x40] = 0x11;
    CHECK(self.read(0x40, 2) == Bytes{pattern(0x40), 0xAA});
    for (unsigned line = 1; line < 40; ++line) self.read(128 * line, 1);
    CHECK(self.read(0x40, 2) == Bytes{pattern(0x40), 0xAA});  // L2 wrote the whole sector back
    system.memory.store.bytes[128 * 50] = 0x22;
    CHECK(self.read(128 * 50, 1) == Bytes{0x22});
    for (unsigned line = 1; line < 40; ++line) self.read(128 * line, 1);
    system.memory.store.bytes[128 * 50] = 0x33;
    CHECK(self.read(128 * 50, 1) == Bytes{0x33});
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
}

TEST_CASE("foreign memory: an answer that the block has not taken holds the next one back, however it came") {
  ClockDomain clock("clock", 1000, {});
  PayloadPool pool;
  block_rig::Initiator initiator("initiator", clock, pool);
  AtMemory memory("memory");
  memory.sequence = [] { return Sequence::completed; };  // both answers have arrived, without a phase that could be held back
  initiator.port.socket.bind(memory.socket);
  initiator.takes = [](std::size_t n) { return n != 0; };
  initiator.send(10, block_rig::a_load(1));
  initiator.send(11, block_rig::a_load(2));
  block_rig::Script script(clock);
  script.at(300, [&] { initiator.accept_waiting(); });
  run_kernel();
  CHECK(initiator.answered(1) == 301);
  CHECK(initiator.answered(2) >= 300);
  CHECK(initiator.answered(2) <= 302);
  CHECK(pool.alive() == 0);
}

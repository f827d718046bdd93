// Foreign modules with times beyond the range of the model's clocks.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;

namespace {

using Catch::Contains;
constexpr const char* kRemedy = "clocks multiply picoseconds by MHz in 64 bits: make the fastest clock slower, or simulate less";

sc_time seconds(double value) { return {value, sc_core::SC_SEC}; }

/// A read of an L2 of 1 GHz, annotated with `late`, after `wait`. Returns the time of its return.
sc_time read_late(L2System<LtMemory>& system, const sc_time& wait, const sc_time& late) {
  sc_time returned;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    if (wait != sc_core::SC_ZERO_TIME) sc_core::wait(wait);
    Bytes data(4);
    Plain transaction(tlm::TLM_READ_COMMAND, 0x2000, data.data(), 4);
    sc_time time = late;
    self.socket->b_transport(transaction, time);
    CHECK(data == Bytes{pattern(0x2000), pattern(0x2001), pattern(0x2002), pattern(0x2003)});
    returned = sc_core::sc_time_stamp();
  });
  system.join(initiator.socket, system.entry());
  system.run();
  return returned;
}

}  // namespace

TEST_CASE("foreign time: a blocking call 18,000 s ahead of an L2 of 1 GHz is served, and takes what it takes at any time") {
  L2System<LtMemory> system;
  const Cycle access = 20, link = 10, memory = 80, fill = 3;
  CHECK(read_late(system, sc_core::SC_ZERO_TIME, seconds(18'000)) ==
        seconds(18'000) + sc_time(static_cast<double>(1 + access + link + memory + 1 + fill - 1), SC_NS));
}

TEST_CASE("foreign time: a blocking call annotated beyond the end of time ends the run with the socket, the time and the remedy") {
  L2System<LtMemory> system;
  CHECK_THROWS_WITH(read_late(system, seconds(5), seconds(20'000)),
                    Contains("upstream") && Contains("a call at 5 s is annotated with 20000 s, and simulated time ends at 18158.5 s") &&
                        Contains(kRemedy));
}

TEST_CASE("foreign time: a call of a module that itself waited beyond the end of time ends the run") {
  L2System<LtMemory> system;
  CHECK_THROWS_WITH(read_late(system, seconds(20'000), sc_core::SC_ZERO_TIME), Contains("a call at 20000 s") && Contains(kRemedy));
}

TEST_CASE("foreign time: a request with phases annotated beyond the end of time ends the run") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.annotated = 20'000'000'000'000'000;
  block_rig::Script script(system.clock);
  script.at(10, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0, Bytes(4)); });
  system.join(initiator.socket, system.entry());
  CHECK_THROWS_WITH(system.run(), Contains("is annotated with 20000 s"));
}

TEST_CASE("foreign time: a memory that answers beyond the end of time ends the run") {
  L2System<LtMemory> system;
  system.memory.latency = seconds(20'000);
  GateOptions options;
  options.stall = sc_core::SC_ZERO_TIME;
  set_gate(system.l2.downstream(), options);
  CHECK_THROWS_WITH(read_late(system, sc_core::SC_ZERO_TIME, sc_core::SC_ZERO_TIME), Contains(kRemedy));
}

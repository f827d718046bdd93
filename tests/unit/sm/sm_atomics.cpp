// Warps that block on their atomics (sm.atomics_block_warp).

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

SmParams blocking_sm() {
  SmParams p = plain_sm();
  p.atomics_block_warp = true;
  return p;
}

}  // namespace

TEST_CASE("sm atomics: a warp goes on at once after an atomic without a destination, unless atomics block it") {
  for (const bool blocks : {false, true}) {
    SmParams p = plain_sm();
    p.atomics_block_warp = blocks;
    SmRig rig(p);
    rig.latency = 70;
    rig.launch({{memory(Unit::atomic, 0, 0, 0), alu(1)}});
    rig.run(100);
    REQUIRE(rig.sent.size() == 1);
    CHECK(rig.cycle_of(1) == (blocks ? rig.sent[0].arrival + 70 : rig.cycle_of(0) + 1));
  }
}

TEST_CASE("sm atomics: other warps issue while one stands still") {
  SmRig rig(blocking_sm());
  rig.latency = 70;
  rig.launch({{memory(Unit::atomic, 0, 0, 0), alu(1)}, {alu(2), alu(3)}});
  rig.run(100);
  CHECK(rig.cycle_of(1, 0) == rig.sent[0].arrival + 70);
  CHECK(rig.cycle_of(3, 1) < rig.sent[0].arrival + 70);
}

TEST_CASE("sm atomics: a warp that ends with an atomic keeps its slot until the answer, and one without an active lane goes on") {
  SmRig rig(blocking_sm());
  WarpInstruction nobody = memory(Unit::atomic, 0, 0, 0);
  nobody.active = 0;
  rig.launch({{nobody, memory(Unit::atomic, 1, 0, 0)}});
  rig.run(20);
  REQUIRE(rig.sent.size() == 1);
  CHECK(rig.finished.empty());
  rig.answer(0, 50);
  rig.run(60);
  CHECK(rig.finished == std::vector<std::pair<std::uint32_t, Cycle>>{{0, 50}});
}

TEST_CASE(
    "sm atomics: a warp with an atomic of shared memory issues nothing until its result leaves the pipeline, with or without one") {  // CM-42
  for (const bool blocks : {false, true}) {
    for (const RegisterId destination : {RegisterId{5}, kNoRegister}) {
      SmParams p = plain_sm();
      p.atomics_block_warp = blocks;
      SmRig rig(p);
      rig.launch({{memory(Unit::shared_atomic, 0, 0, 4, destination), alu(1)}, {memory(Unit::shared, 2, 0, 4), alu(3)}});
      rig.run(100);
      const Cycle pipeline = p.issue_to_execute_cycles - 1 + p.shared_cycles + 1;  // no bank conflict
      CHECK(rig.cycle_of(1) == (blocks ? rig.cycle_of(0) + pipeline : rig.cycle_of(0) + 2));
      CHECK(rig.cycle_of(3, 1) <= rig.cycle_of(2, 1) + 2);
      CHECK(rig.count("atomics") == 0);
      CHECK(rig.count("shared.accesses") == 2);
    }
  }
}

// Warps behind fences (sm.fence_waits, CM-30).

#include <catch2/catch.hpp>

#include "tests/unit/sm/stack_rig.h"

using namespace wharf;
using namespace wharf::test;

namespace {

SmParams fenced_sm(FenceWait waits) {
  SmParams p = plain_sm();
  p.cta_waits_for_stores = true;
  p.fence_waits = waits;
  return p;
}

WarpInstruction fence(std::uint32_t pc) { return instruction(Unit::fence, pc); }

constexpr Cycle kLatency = 60;

/// Issues a program of one warp, whose accesses are answered after kLatency; returns the rig after that.
std::unique_ptr<SmRig> issued(FenceWait waits, Program program) {
  auto rig = std::make_unique<SmRig>(fenced_sm(waits));
  rig->latency = kLatency;
  rig->launch({std::move(program)});
  rig->run(400);
  REQUIRE(rig->finished.size() == 1);
  return rig;
}

}  // namespace

TEST_CASE("sm fence: behind a fence that waits for nothing the warp goes on at once") {
  const auto rig = issued(FenceWait::nothing, {load(0, 3), memory(Unit::store, 1, 512, 4), fence(2), alu(3)});
  CHECK(rig->cycle_of(3) == rig->cycle_of(2) + 1);
}

TEST_CASE("sm fence: a fence issues at once, and the warp behind it waits for its last load, but not for its stores") {
  const auto rig = issued(FenceWait::results, {load(0, 3), load(1, 4, 512), memory(Unit::store, 2, 1024, 4), fence(3), alu(4)});
  CHECK(rig->cycle_of(3) == rig->cycle_of(2) + 1);
  CHECK(rig->cycle_of(4) == rig->sent[1].arrival + kLatency);
}

TEST_CASE("sm fence: where stores must be performed, the warp waits for the last acknowledgement of the last line") {
  const auto rig = issued(FenceWait::performed, {memory(Unit::store, 0, 0, 128), fence(1), alu(2)});
  REQUIRE(rig->sent.size() == 32);
  CHECK(rig->cycle_of(1) == rig->cycle_of(0) + 1);
  CHECK(rig->cycle_of(2) == rig->sent[31].arrival + kLatency);
}

TEST_CASE("sm fence: a reduction is awaited like a store, a load into no register is not awaited") {
  const auto reduction = issued(FenceWait::performed, {memory(Unit::atomic, 0, 0, 4), fence(1), alu(2)});
  CHECK(reduction->cycle_of(2) == reduction->sent[0].arrival + kLatency);
  const auto copy = issued(FenceWait::performed, {load(0, kNoRegister), fence(1), alu(2)});
  CHECK(copy->cycle_of(2) == copy->cycle_of(1) + 1);
}

TEST_CASE("sm fence: a result of a unit is awaited too, and a fence without anything before it costs its slot") {
  const auto rig = issued(FenceWait::results, {alu(0, 3), fence(1), alu(2), fence(3), alu(4)});
  CHECK(rig->cycle_of(2) == rig->cycle_of(0) + 1 + 8);
  CHECK(rig->cycle_of(4) == rig->cycle_of(2) + 2);
}

TEST_CASE("sm fence: a fence that no lane executes orders nothing, and costs its slot") {
  WarpInstruction skipped = fence(1);
  skipped.active = 0;
  const auto rig = issued(FenceWait::performed, {memory(Unit::store, 0, 0, 4), skipped, alu(2)});
  CHECK(rig->cycle_of(2) == rig->cycle_of(1) + 1);
}

TEST_CASE("sm fence: an acknowledgement that is known before it is here lets no warp go on before it is here") {
  for (const bool after_fence : {false, true}) {
    SmRig rig(fenced_sm(FenceWait::performed));
    Program program{memory(Unit::store, 0, 0, 4), fence(1), alu(2)};
    if (!after_fence) program.insert(program.begin() + 1, {instruction(Unit::sfu, 7, 1), alu(8, 2, {1})});
    rig.launch({program});
    rig.run(10);
    rig.logic.answered({rig.sent[0].access}, 90);
    rig.run(200);
    CHECK(rig.cycle_of(2) == 90);
  }
}

TEST_CASE("sm fence: the next instruction may be a barrier, the end, or a store, whose acknowledgement the fence before does not await") {
  SmRig rig(fenced_sm(FenceWait::performed));
  rig.latency = kLatency;
  const WarpInstruction meet = instruction(Unit::barrier, 9);
  rig.launch({{memory(Unit::store, 0, 0, 4), fence(1), meet, memory(Unit::store, 2, 512, 4), fence(3)}, {meet, alu(4)}});
  rig.run(400);
  REQUIRE(rig.sent.size() == 2);
  CHECK(rig.cycle_of(9, 0) == rig.sent[0].arrival + kLatency);
  CHECK(rig.cycle_of(4, 1) == rig.cycle_of(9, 0) + 1);
  CHECK(rig.finished == std::vector<std::pair<std::uint32_t, Cycle>>{{0, rig.sent[1].arrival + kLatency}});
}

TEST_CASE("sm fence: other warps go on, and take the place of the one that waits in a limited pool") {
  SmParams p = fenced_sm(FenceWait::performed);
  p.warp_filter = "swl";
  p.swl_limit = 1;
  SmRig rig(p);
  rig.latency = kLatency;
  rig.launch({{memory(Unit::store, 0, 0, 4), fence(1), alu(2)}, {alu(3)}});
  rig.run(400);
  CHECK(rig.cycle_of(3, 1) < rig.cycle_of(1, 0) + 5);
  CHECK(rig.cycle_of(2, 0) == rig.sent[0].arrival + kLatency);
}

TEST_CASE("sm fence: the wait for stores counts as such, and that for a load as the load's") {
  for (const bool ticking : {false, true}) {
    StackRig stores(fenced_sm(FenceWait::performed));
    stores.ticking = ticking;
    stores.latency = kLatency;
    stores.launch({{memory(Unit::store, 0, 0, 4), fence(1), alu(2)}}, kLaunch);
    const auto slots = stores.stack(200);
    CHECK(slots.at("issued") == 3 * kOne);
    CHECK(slots.at("stores") == (stores.cycle_of(2) - stores.cycle_of(1) - 1) * kOne);
    CHECK(slots.count("no_warp") == 0);

    StackRig loads(fenced_sm(FenceWait::performed));
    loads.ticking = ticking;
    loads.latency = kLatency;
    loads.launch({{memory(Unit::store, 0, 0, 4), load(1, 3, 512), fence(2), alu(3)}}, kLaunch);
    const auto with_load = loads.stack(200);
    CHECK(with_load.count("stores") == 0);
    CHECK(with_load.at("load.in_lsu") == (loads.cycle_of(3) - loads.cycle_of(2) - 1) * kOne);
  }
}

// Barriers and the end of CTAs.

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

WarpInstruction barrier(std::uint32_t pc = 50) { return instruction(Unit::barrier, pc); }
WarpInstruction named_barrier(std::uint8_t number, std::uint8_t warps, bool arrives_only = false) {
  WarpInstruction i = barrier();
  i.barrier = {number, warps, arrives_only};
  return i;
}
WarpInstruction slow(std::uint32_t pc) { return instruction(Unit::sfu, pc, 1); }  // 40 cycles

}  // namespace

TEST_CASE("sm cta: no warp passes a barrier before the last has reached it") {
  const SmParams p = plain_sm();
  SmRig rig(p);
  const WarpInstruction after_slow = instruction(Unit::alu, 3, 2, {1});
  rig.launch({{barrier(), alu(1)}, {slow(2), after_slow, barrier(), alu(1)}, {barrier(), alu(1)}});
  rig.run(100);
  const Cycle last = rig.cycle_of(50, 1);
  CHECK(last == rig.cycle_of(2, 1) + p.issue_to_execute_cycles + p.units.sfu.latency + 1);
  std::vector<Cycle> after{rig.cycle_of(1, 0), rig.cycle_of(1, 1), rig.cycle_of(1, 2)};
  std::sort(after.begin(), after.end());
  CHECK(after == std::vector<Cycle>{last + 1, last + 2, last + 3});
  CHECK(rig.count("barriers") == 3);
}

TEST_CASE("sm cta: warps go on barrier_cycles after the last arrival, and the SM takes arrivals barrier_interval apart") {
  SmParams p = plain_sm();
  p.barrier_cycles = 22;
  p.barrier_interval = 2;
  for (const bool ticking : {true, false}) {
    SmRig rig(p);
    rig.launch({{barrier(), alu(1)}, {barrier(), alu(1)}, {barrier(), alu(1)}}, 1, 0);
    rig.launch({{barrier(51), alu(2), barrier(52), alu(3)}, {}, {}}, 1, 1);
    rig.run(200, ticking);
    const Cycle first = rig.cycle_of(50, 0);
    CHECK(rig.cycle_of(50, 2) == first + 2);
    std::vector<Cycle> after{rig.cycle_of(1, 0), rig.cycle_of(1, 1), rig.cycle_of(1, 2)};
    std::sort(after.begin(), after.end());
    const Cycle open = first + 3 * 2 + 22;
    CHECK(after == std::vector<Cycle>{open, open + 1, open + 2});
    CHECK(rig.cycle_of(51, 3) == first + 3);
    CHECK(rig.cycle_of(2, 3) == first + 4 * 2 + 22 + 1);  // the fourth arrival; a warp of the other CTA issues at that time
    CHECK(rig.cycle_of(3, 3) == rig.cycle_of(52, 3) + 2 + 22);
  }
}

TEST_CASE("sm cta: a warp that ends opens the barrier of the others, barrier_cycles later") {
  SmParams p = plain_sm();
  p.barrier_cycles = 22;
  SmRig rig(p);
  rig.launch({{barrier(), alu(1)}, {slow(2)}});
  rig.run(100);
  CHECK(rig.cycle_of(1, 0) == rig.cycle_of(2, 1) + 1 + 40 + 22);
}

TEST_CASE("sm cta: a warp that has ended is not waited for at a barrier") {
  SmRig rig(plain_sm());
  rig.launch({{barrier(), alu(1)}, {slow(2)}, {}});
  rig.run(100);
  CHECK(rig.cycle_of(1, 0) == rig.cycle_of(2, 1) + 1 + 40);  // warp 1 ends with its result
}

TEST_CASE("sm cta: a barrier of one CTA does not wait for another") {
  SmRig rig(plain_sm());
  rig.launch({{barrier(), alu(1)}}, 1, 0, 0);
  rig.launch({{slow(2), alu(3, 2, {1}), barrier(), alu(1)}}, 1, 1, 1);
  rig.run(100);
  CHECK(rig.cycle_of(1, 0) < 10);
}

TEST_CASE("sm cta: barriers in a row are passed one at a time") {
  SmRig rig(plain_sm());
  const Program program{barrier(50), barrier(51), alu(1)};
  rig.launch({program, program});
  rig.run(100);
  for (unsigned warp = 0; warp < 2; ++warp) {
    CHECK(rig.cycle_of(51, warp) > std::max(rig.cycle_of(50, 0), rig.cycle_of(50, 1)));
    CHECK(rig.cycle_of(1, warp) > std::max(rig.cycle_of(51, 0), rig.cycle_of(51, 1)));
  }
}

TEST_CASE("sm cta: a barrier of two warps opens for them alone, and again for the next two") {
  SmRig rig(plain_sm());
  const Program fast{named_barrier(3, 2), alu(1)}, late{slow(2), alu(3, 2, {1}), named_barrier(3, 2), alu(1)};
  rig.launch({fast, fast, late, late});
  rig.run(100);
  const Cycle opened = std::max(rig.cycle_of(50, 0), rig.cycle_of(50, 1));
  CHECK(std::max(rig.cycle_of(1, 0), rig.cycle_of(1, 1)) <= opened + 4);  // four warps share the scheduler
  CHECK(std::min(rig.cycle_of(1, 2), rig.cycle_of(1, 3)) > std::max(rig.cycle_of(50, 2), rig.cycle_of(50, 3)));
  CHECK(rig.cycle_of(50, 2) > opened + 30);
  CHECK(rig.count("barriers") == 4);
}

TEST_CASE("sm cta: a warp that only arrives at a barrier goes on, and lets those go on that wait there") {
  SmRig rig(plain_sm());
  rig.launch({{named_barrier(1, 2), alu(1)}, {slow(2), alu(3, 2, {1}), named_barrier(1, 2, true), alu(1)}});
  rig.run(100);
  const Cycle arrived = rig.cycle_of(50, 1);
  std::vector<Cycle> after{rig.cycle_of(1, 0), rig.cycle_of(1, 1)};
  std::sort(after.begin(), after.end());
  CHECK(after == std::vector<Cycle>{arrived + 1, arrived + 2});
}

TEST_CASE("sm cta: barriers of other numbers do not open one another") {
  SmRig rig(plain_sm());
  rig.launch({{named_barrier(1, 0), alu(1)}, {named_barrier(2, 0), alu(1)}});
  rig.run(100);
  CHECK(rig.cycles_of(1, 0).empty());
  CHECK(rig.cycles_of(1, 1).empty());
}

TEST_CASE("sm cta: data that arrive for a warp at a barrier do not let it pass") {
  SmRig rig(plain_sm());
  rig.latency = 10;
  rig.launch({{load(0, 1), barrier(), alu(1)}, {slow(2), alu(3, 2, {1}), barrier(), alu(1)}});
  rig.run(100);
  CHECK(rig.cycle_of(1, 0) > rig.cycle_of(50, 1));
}

TEST_CASE("sm cta: a CTA ends when its last warp has issued everything and has every result") {
  SmRig rig(plain_sm());
  rig.latency = 90;
  rig.launch({{alu(0)}, {load(1, 1)}, {slow(2)}}, 1, 2);
  rig.run(300);
  REQUIRE(rig.finished.size() == 1);
  CHECK(rig.finished[0] == std::pair<std::uint32_t, Cycle>{2, rig.sent[0].arrival + 90});
  CHECK(rig.count("ctas") == 1);
  CHECK(rig.logic.resident() == 0);
}

TEST_CASE("sm cta: CTAs in different slots end apart, and a slot takes another CTA") {
  SmRig rig(plain_sm());
  rig.launch({{slow(0)}}, 1, 0, 0);
  rig.launch({{alu(0)}}, 1, 1, 1);
  rig.run(20);
  REQUIRE(rig.finished.size() == 1);
  CHECK(rig.finished[0].first == 1);
  rig.launch({{alu(7)}}, 21, 1, 2);
  rig.run(100);
  CHECK(rig.cycle_of(7, 1) == 21);
  REQUIRE(rig.finished.size() == 3);
  CHECK(rig.count("ctas") == 3);
}

TEST_CASE("sm cta: a CTA without warps, or with warps that have nothing to do, ends at once") {
  SmRig rig(plain_sm());
  rig.launch({}, 1, 0);
  rig.launch({{}, {}}, 1, 1);
  rig.run(1);
  CHECK(rig.finished == std::vector<std::pair<std::uint32_t, Cycle>>{{0, 1}, {1, 1}});
  CHECK_FALSE(rig.logic.busy());
}

TEST_CASE("sm cta: a CTA waits for the acknowledgement of its stores only where it is told to") {
  for (const bool waits : {false, true}) {
    SmParams p = plain_sm();
    p.cta_waits_for_stores = waits;
    SmRig rig(p);
    rig.latency = 60;
    rig.launch({{memory(Unit::store, 0, 0, 128), memory(Unit::atomic, 1, 0, 4), alu(2)}});  // 32 lines and one more
    rig.run(300);
    REQUIRE(rig.sent.size() == 33);
    REQUIRE(rig.finished.size() == 1);
    if (waits)
      CHECK(rig.finished[0].second == rig.sent[32].arrival + 60);
    else
      CHECK(rig.finished[0].second == rig.sent[32].arrival - 1);  // when the last line has left the load/store unit
  }
}

TEST_CASE("sm cta: a CTA that waits for its stores and still issues when the last is acknowledged ends with its last instruction") {
  SmParams p = plain_sm();
  p.cta_waits_for_stores = true;
  SmRig rig(p);
  rig.latency = 5;
  rig.launch({{memory(Unit::store, 0, 0, 4), slow(1), alu(2, 3, {1})}});
  rig.run(100);
  REQUIRE(rig.finished.size() == 1);
  CHECK(rig.finished[0].second == rig.cycle_of(2) + 1 + 8);
}

TEST_CASE("sm cta: resident warps are counted over time, from launch to the end of their CTA") {
  const SmParams p = plain_sm();
  SmRig rig(p);
  rig.launch({{slow(0)}, {alu(0)}}, 11);
  rig.run(200);
  rig.logic.catch_up(200);
  CHECK(rig.count("warp_cycles") == 2 * (1 + 40));
}

TEST_CASE("sm cta: a CTA waits for the data of its loads, those that go into no register included") {
  SmRig rig(plain_sm());
  rig.launch({{alu(0)}, {load(1, kNoRegister)}});
  rig.run(10);
  CHECK(rig.finished.empty());
  rig.answer(0, 20);
  rig.run(200);
  CHECK(rig.finished == std::vector<std::pair<std::uint32_t, Cycle>>{{0, 20}});
  CHECK_FALSE(rig.logic.busy());
}

TEST_CASE("sm cta: an acknowledgement that is known before it is here ends no CTA before it is here") {
  for (const bool still_issuing : {false, true}) {
    SmParams p = plain_sm();
    p.cta_waits_for_stores = true;
    SmRig rig(p);
    Program program{memory(Unit::store, 0, 0, 4)};
    if (still_issuing) program.insert(program.end(), {slow(1), alu(2, 3, {1})});
    rig.launch({program});
    rig.run(10);
    rig.logic.answered({rig.sent[0].access}, 90);
    rig.run(200);
    REQUIRE(rig.finished.size() == 1);
    CHECK(rig.finished[0].second == 90);
  }
}

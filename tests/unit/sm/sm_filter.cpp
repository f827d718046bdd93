// An SM and its warp filter: hints, counts of warps over time, sleep.

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

SmParams with_filter(const char* filter, std::uint32_t limit = 1) {
  SmParams p = plain_sm();
  p.warp_filter = filter;
  p.swl_limit = limit;
  return p;
}

/// A CIAO with epochs of single instructions that acts on any interference.
SmParams nervous(const char* mode) {
  SmParams p = with_filter(mode);
  p.ciao.low_epoch = p.ciao.high_epoch = 1;
  p.ciao.high = p.ciao.low = 0.0;
  p.ciao.test_latency = 0;
  p.ciao.irs_window = ScoreWindow::kernel;
  return p;
}

/// In cycle `cycle`, warp `victim` misses a line that it lost to `interferer`.
void hurt(SmRig& rig, unsigned victim, unsigned interferer, Cycle cycle) {
  CacheEvent event;
  event.kind = CacheEvent::Kind::evicted;
  event.warp = static_cast<std::uint16_t>(victim);
  event.by_warp = static_cast<std::uint16_t>(interferer);
  event.line = {99};
  rig.logic.interference()->post(event, cycle - 1);
  event.kind = CacheEvent::Kind::missed;
  rig.logic.interference()->post(event, cycle);
}

Program alus(unsigned count) {
  Program program;
  for (std::uint32_t pc = 0; pc < count; ++pc) program.push_back(alu(pc));
  return program;
}

}  // namespace

TEST_CASE("sm filter: without a filter, or one that only prefers, nothing is heard, hinted or counted") {
  for (const char* filter : {"none", "predictor_cta"}) {
    SmRig rig(with_filter(filter));
    CHECK(rig.logic.interference() == nullptr);
    CHECK_THROWS(rig.count("filter.active_cycles"));
    CHECK_THROWS(rig.count("interference.hits"));
  }
}

TEST_CASE("sm filter: lost lines are measured where nobody needs them, if that is asked for") {
  SmParams p = plain_sm();
  p.interference.passive = true;
  SmRig rig(p);
  rig.launch({alus(3), alus(3)});
  hurt(rig, 0, 1, 2);
  rig.run(20);
  CHECK(rig.count("interference.hits") == 1);
  rig.logic.catch_up(20);
  CHECK(rig.count("filter.active_cycles") == 4 + 5);  // six instructions from cycle 1 on, one per cycle, in turn
  CHECK(rig.count("filter.stalled_cycles") == 0);
}

TEST_CASE("sm filter: unfinished warps are active or stalled, cycle by cycle") {
  // Launched in cycle 11, 41 cycles each; the second starts when the first has ended.
  SmRig rig(with_filter("swl"));
  const auto slow = [](std::uint32_t pc) { return instruction(Unit::sfu, pc, 5); };
  rig.launch({{slow(0)}, {slow(0)}}, 11);
  rig.run(200);
  rig.logic.catch_up(200);
  CHECK(rig.count("filter.active_cycles") == 41 + 41);
  CHECK(rig.count("filter.stalled_cycles") == 41);
  CHECK(rig.count("filter.isolated_cycles") == 0);
}

TEST_CASE("sm filter: warps that are ready and may not issue keep no SM awake") {
  SmRig rig(with_filter("swl"));
  rig.launch({{instruction(Unit::sfu, 0, 5), alu(1, 6, {5})}, alus(4)});
  rig.run(200, false);
  CHECK(rig.cycle_of(1) == 1 + 1 + 40);
  CHECK(rig.cycle_of(0, 1) == 1 + 1 + 40 + 1 + 8);
  CHECK(rig.acts < 20);
}

TEST_CASE("sm filter: global loads and stores of an isolated warp say so, other accesses of it and other warps' do not") {
  SmRig rig(nervous("ciao_p"));
  rig.latency = 10;
  rig.logic.kernel_started(true, 1);
  WarpInstruction local = load(4, 4, 0x4000);
  local.space = Space::local;
  const Program program{alu(0),
                        alu(1),
                        alu(2),
                        load(3, 3, 0x1000),
                        local,
                        memory(Unit::store, 5, 0x2000, 4),
                        memory(Unit::atomic, 6, 0x3000, 4, 6),
                        memory(Unit::texture, 7, 0x5000, 4, 7)};
  rig.launch({program, program});
  hurt(rig, 0, 1, 1);
  rig.run(300);
  REQUIRE(rig.sent.size() == 2 * 5);
  unsigned isolated = 0;
  for (const Sent& sent : rig.sent) {
    const bool global = sent.access.pc == 3 || sent.access.pc == 5;
    if (sent.access.warp == 0 || !global) CHECK_FALSE(sent.access.hint.isolated);
    isolated += sent.access.hint.isolated;
    CHECK_FALSE(sent.access.hint.no_install);
  }
  CHECK(isolated == 2);
}

TEST_CASE("sm filter: the state of a warp is that of the cycle in which an access leaves the load/store unit") {
  SmRig rig(nervous("ciao_p"));
  rig.latency = 10;
  rig.logic.kernel_started(true, 1);
  rig.launch({alus(2), {load(0, 1, 0, kLineBytes)}});  // 32 lines of warp 1, which becomes isolated while they are sent
  hurt(rig, 0, 1, 2);
  rig.run(100);
  REQUIRE(rig.sent.size() == 32);
  CHECK_FALSE(rig.sent.front().access.hint.isolated);
  CHECK(rig.sent.back().access.hint.isolated);
}

TEST_CASE("sm filter: loads of warps without a token are marked, their stores are not") {
  SmRig rig(with_filter("statpcal"));
  rig.latency = 10;
  const Program program{load(0, 1), memory(Unit::store, 1, 0, 4)};
  rig.launch({program, program, program});
  rig.logic.measured(0.0, 0.0, 1);
  rig.run(100);
  REQUIRE(rig.sent.size() == 6);
  unsigned marked = 0;
  for (const Sent& sent : rig.sent) {
    marked += sent.access.hint.no_install;
    if (sent.access.hint.no_install) CHECK((sent.access.warp != 0 && sent.access.kind == AccessKind::load));
  }
  CHECK(marked == 2);
}

TEST_CASE("sm filter: a stalled warp issues nothing, and a barrier brings it back") {
  SmRig rig(nervous("ciao_t"));
  rig.logic.kernel_started(true, 1);
  Program program = alus(30);
  program.push_back(instruction(Unit::barrier, 30));
  program.push_back(alu(31));
  rig.launch({program, program});
  hurt(rig, 0, 1, 1);
  rig.run(300);
  REQUIRE(rig.cycles_of(31, 0).size() == 1);
  REQUIRE(rig.finished.size() == 1);
  rig.logic.catch_up(300);
  CHECK(rig.count("filter.stalls") >= 1);
  CHECK(rig.count("filter.stalled_cycles") > 0);
}

TEST_CASE("sm filter: a CCWS warp outside the sum issues what is no load, and its load when scores have fallen") {
  SmParams p = with_filter("ccws");
  p.warp_scheduler = "gto";
  p.ccws.k = 5;
  const Program chain(100, instruction(Unit::sfu, 0, 5, {5}));
  for (const bool ticking : {true, false}) {
    SmRig rig(p);
    rig.latency = 10;
    rig.launch({chain, {alu(0), alu(1), load(2, 1)}});
    hurt(rig, 0, 1, 2);
    rig.run(1000, ticking);
    CHECK(rig.cycle_of(1, 1) == 3);
    // One lost line, and one instruction when the filter learns of it: 5 * 200 in cycle 2, and the cutoff is 200.
    CHECK(rig.cycle_of(2, 1) == 2 + 800 + 1);
  }
}

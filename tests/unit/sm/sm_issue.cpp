// When an SM issues which instruction: scoreboard, units, schedulers (common section 9).

#include <catch2/catch.hpp>

#include "model/base/rng.h"
#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

Program independent(Unit unit, unsigned count) {
  Program program;
  for (unsigned i = 0; i < count; ++i) program.push_back(instruction(unit, i, static_cast<RegisterId>(i)));
  return program;
}

std::vector<Cycle> all_cycles(const SmRig& rig) {
  std::vector<Cycle> cycles;
  for (const Issue& issue : rig.issues) cycles.push_back(issue.cycle);
  return cycles;
}

std::vector<unsigned> all_warps(const SmRig& rig) {
  std::vector<unsigned> warps;
  for (const Issue& issue : rig.issues) warps.push_back(issue.warp);
  return warps;
}

}  // namespace

TEST_CASE("sm issue: independent instructions of one warp follow each other cycle by cycle from the launch on") {
  SmRig rig(plain_sm());
  rig.launch({independent(Unit::alu, 4)}, 5);
  rig.run(60);
  CHECK(all_cycles(rig) == std::vector<Cycle>{5, 6, 7, 8});
}

TEST_CASE("sm issue: a dependent instruction follows after issue_to_execute + latency + writeback") {
  for (const auto& [to_execute, writeback] : {std::pair{1u, 0u}, std::pair{4u, 1u}}) {
    SmParams p = plain_sm();
    p.issue_to_execute_cycles = to_execute;
    p.writeback_cycles = writeback;
    SmRig rig(p);
    rig.launch({{alu(0, 7), alu(1, 8, {7}), instruction(Unit::fp32, 2, 9, {8}), alu(3, 10, {9})}});
    rig.run(200);
    CHECK(rig.cycle_of(1) == rig.cycle_of(0) + to_execute + p.units.alu.latency + writeback);
    CHECK(rig.cycle_of(2) == rig.cycle_of(1) + to_execute + p.units.alu.latency + writeback);
    CHECK(rig.cycle_of(3) == rig.cycle_of(2) + to_execute + p.units.fp32.latency + writeback);
  }
}

TEST_CASE("sm issue: each of four sources and the destination wait for a result on its way, and no other register does") {
  const SmParams p = plain_sm();
  for (unsigned place = 0; place < 4; ++place) {
    SmRig rig(p);
    std::vector<RegisterId> sources{1, 2, 3, 4};
    sources[place] = 200;
    rig.launch({{alu(0, 200), alu(1, 5, sources)}});
    rig.run(60);
    CHECK(rig.cycle_of(1) == rig.cycle_of(0) + p.issue_to_execute_cycles + p.units.alu.latency);
  }
  SmRig rig(p);
  rig.launch({{instruction(Unit::sfu, 0, 6), alu(1, 7, {1, 2, 3, 4}), alu(2, 6)}});  // 2 writes the same register as 0
  rig.run(90);
  CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 1);
  CHECK(rig.cycle_of(2) == rig.cycle_of(0) + p.issue_to_execute_cycles + p.units.sfu.latency);
}

TEST_CASE("sm issue: a unit starts an instruction every interval, and unit_queue of them may be issued ahead") {
  for (const unsigned queue : {1u, 3u}) {
    SmParams p = plain_sm();
    p.units.sfu = {40, 8};
    p.unit_queue = queue;
    SmRig rig(p);
    rig.launch({independent(Unit::sfu, 6)});
    rig.run(200);
    std::vector<Cycle> expected;
    // The n-th starts n intervals after the first. It is issued when at most `queue` wait, and at most one is issued per cycle.
    for (Cycle n = 0; n < 6; ++n) expected.push_back(std::max<Cycle>(1 + n, 1 + (n < queue ? 0 : (n - queue) * 8)));
    CHECK(all_cycles(rig) == expected);
  }
}

TEST_CASE("sm issue: a result of a unit that is occupied counts from its start") {
  SmParams p = plain_sm();
  p.units.sfu = {40, 8};
  SmRig rig(p);
  rig.launch({{instruction(Unit::sfu, 0, 1), instruction(Unit::sfu, 1, 2), alu(2, 3, {2})}});
  rig.run(200);
  CHECK(rig.cycle_of(1) == rig.cycle_of(0) + 1);
  CHECK(rig.cycle_of(2) == rig.cycle_of(0) + p.issue_to_execute_cycles + 8 + 40);
}

TEST_CASE("sm issue: an occupied unit holds up nothing that needs another one") {
  SmParams p = plain_sm();
  p.units.fp64 = {16, 50};
  SmRig rig(p);
  rig.launch({independent(Unit::fp64, 3),
              {alu(10, 1), instruction(Unit::fp32, 11, 2), instruction(Unit::tensor, 12, 3), instruction(Unit::branch, 13)}});
  rig.run(300);
  CHECK(rig.cycle_of(2) == 1 + 2 * 50 - 50);  // the third waits for a place in the queue of one
  for (std::uint32_t pc = 10; pc < 14; ++pc) CHECK(rig.cycle_of(pc, 1) < 10);
}

TEST_CASE("sm issue: a scheduler issues one instruction every issue_interval, whatever its unit (CM-23)") {
  SmParams p = plain_sm();
  p.issue_interval = 2;
  SmRig rig(p);
  rig.launch({independent(Unit::alu, 3), independent(Unit::fp32, 3)});
  rig.run(60);
  CHECK(all_cycles(rig) == std::vector<Cycle>{1, 3, 5, 7, 9, 11});
}

TEST_CASE("sm issue: warp slot w belongs to scheduler w mod schedulers, and each of them issues in every cycle") {
  SmParams p = plain_sm();
  p.schedulers = 2;
  SmRig rig(p);
  rig.launch({independent(Unit::alu, 4), independent(Unit::alu, 2), {}, independent(Unit::alu, 2)});
  rig.run(60);
  for (std::uint32_t pc = 0; pc < 4; ++pc) CHECK(rig.cycle_of(pc, 0) == 1 + pc);  // warp 0 has scheduler 0 to itself
  std::vector<Cycle> second;
  for (const Issue& issue : rig.issues)
    if (issue.warp % 2 == 1) second.push_back(issue.cycle);
  CHECK(second == std::vector<Cycle>{1, 2, 3, 4});
}

TEST_CASE("sm issue: lrr goes round the ready warps, gto stays with one and then takes the oldest") {
  for (const char* order : {"lrr", "gto"}) {
    SmParams p = plain_sm();
    p.warp_scheduler = order;
    SmRig rig(p);
    // Each warp: two independent instructions, then one that waits for the second.
    const Program program{alu(0, 1), alu(1, 2), alu(2, 3, {2})};
    rig.launch({program, program, program});
    rig.run(60);
    if (p.warp_scheduler == "lrr")
      CHECK(all_warps(rig) == std::vector<unsigned>{0, 1, 2, 0, 1, 2, 0, 1, 2});
    else
      CHECK(all_warps(rig) == std::vector<unsigned>{0, 0, 1, 1, 2, 2, 0, 1, 2});
    CHECK(rig.cycle_of(2, 0) == rig.cycle_of(1, 0) + p.issue_to_execute_cycles + p.units.alu.latency);
  }
}

TEST_CASE("sm issue: gto takes the CTA dispatched first, whatever its slot") {
  SmParams p = plain_sm();
  p.warp_scheduler = "gto";
  SmRig rig(p);
  rig.launch({independent(Unit::alu, 2)}, 1, 0, 9);
  rig.launch({independent(Unit::alu, 2)}, 1, 1, 4);
  rig.run(60);
  CHECK(all_warps(rig) == std::vector<unsigned>{1, 1, 0, 0});
}

TEST_CASE("sm issue: a warp that the filter holds back issues when another has ended") {
  SmParams p = plain_sm();
  p.warp_filter = "swl";
  p.swl_limit = 1;
  SmRig rig(p);
  rig.launch({{alu(0, 1), alu(1, 2, {1})}, {alu(0, 1)}});
  rig.run(60);
  // Warp 0 ends with its last result.
  CHECK(rig.cycle_of(0, 1) == rig.cycle_of(1, 0) + p.issue_to_execute_cycles + p.units.alu.latency);
}

TEST_CASE("sm issue: repeats are issued one by one and counted each, lanes too") {
  SmRig rig(plain_sm());
  WarpInstruction run = alu(0);
  run.repeat = 5;
  run.active = 0xFF;
  rig.launch({{run, alu(1)}});
  rig.run(60);
  CHECK(rig.cycle_of(0) == 1 + 5 - 1);
  CHECK(rig.cycle_of(1) == 1 + 5);
  CHECK(rig.count("warp_instructions") == 5 + 1);
  CHECK(rig.count("thread_instructions") == 5 * 8 + 32);
}

TEST_CASE("sm issue: repeats of an instruction that reads its own result wait for each other") {
  const SmParams p = plain_sm();
  SmRig rig(p);
  WarpInstruction run = alu(0, 1, {1});
  run.repeat = 4;
  rig.launch({{run, alu(1, 2, {1})}});
  rig.run(90);
  const Cycle turn = p.issue_to_execute_cycles + p.units.alu.latency;
  CHECK(rig.cycle_of(0) == 1 + 3 * turn);
  CHECK(rig.cycle_of(1) == 1 + 4 * turn);
}

TEST_CASE("sm issue: an SM that sleeps between its events does what one that is called in every cycle does") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    SmParams p = plain_sm();
    p.schedulers = 1 + static_cast<unsigned>(rng.below(3));
    p.warp_scheduler = seed % 3 == 0 ? "gto" : seed % 3 == 1 ? "lrr" : "two_level";
    p.two_level_active = 2;
    p.issue_to_execute_cycles = 1 + static_cast<unsigned>(rng.below(4));
    p.issue_interval = 1 + static_cast<unsigned>(rng.below(2));
    p.units.sfu = {20, 1 + static_cast<unsigned>(rng.below(9))};
    p.lsu_queue = 1 + static_cast<unsigned>(rng.below(6));
    p.loads_in_flight = rng.chance(0.5) ? kUnlimited : 2;
    p.cta_waits_for_stores = rng.chance(0.5);
    p.fence_waits = !p.cta_waits_for_stores ? FenceWait::results : FenceWait::performed;
    const bool sectors = rng.chance(0.5);
    std::vector<Program> programs;
    const Unit units[] = {Unit::alu, Unit::sfu, Unit::load, Unit::store, Unit::shared, Unit::atomic, Unit::branch, Unit::fence};
    for (unsigned w = 0; w < 5; ++w) {
      Program program;
      for (unsigned i = 0; i < 30; ++i) {
        const Unit unit = units[rng.below(8)];
        WarpInstruction next = memory(unit, i, 128 * rng.below(50), rng.below(3) * 64, static_cast<RegisterId>(rng.below(6)));
        if (unit == Unit::store || unit == Unit::branch || unit == Unit::fence) next.destination = kNoRegister;
        next.sources[0] = static_cast<RegisterId>(rng.below(6));
        next.active = rng.chance(0.1) ? 0 : static_cast<LaneMask>(rng.next());
        if (!has_addresses(unit)) next.repeat = static_cast<std::uint16_t>(1 + rng.below(3));
        program.push_back(next);
        if (i == 14) program.push_back(instruction(Unit::barrier, 99));
      }
      programs.push_back(program);
    }
    const auto play = [&](bool ticking) {
      auto rig = std::make_unique<SmRig>(p, sectors ? TransactionUnit::sector : TransactionUnit::line, 2);
      rig->latency = 31;
      rig->open = [r = rig.get()](std::size_t n) {
        if (n % 3 != 0) return true;
        r->resume_at = r->sent.back().arrival + n % 7;
        return false;
      };
      rig->launch(programs);
      rig->run(20000, ticking);
      return rig;
    };
    const auto ticked = play(true), asleep = play(false);
    REQUIRE(ticked->finished.size() == 1);
    REQUIRE(asleep->issues == ticked->issues);
    REQUIRE(asleep->arrivals() == ticked->arrivals());
    REQUIRE(asleep->finished == ticked->finished);
    CHECK(asleep->registry.snapshot() == ticked->registry.snapshot());
    CHECK(asleep->acts < ticked->acts / 4);
  }
}

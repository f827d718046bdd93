// Asynchronous loads to shared memory on an H100: what waits for them, in cycles (MG-18).

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {
namespace {

using Op = MbarrierOp;

constexpr Address kTable = 0x1'0000'0000;

ScriptedKernel alone(Instructions instructions) {
  instructions.insert(instructions.begin(), mbarrier(Op::init, 0, 1));
  ScriptedKernel kernel = one_warp(std::move(instructions));
  kernel.shared_bytes = 4096;
  return kernel;
}

/// `rounds` times an asynchronous load with what follows it.
ScriptedKernel rounds_of(unsigned rounds, const std::function<Instructions(unsigned)>& behind) {
  Instructions all;
  for (unsigned round = 0; round < rounds; ++round) {
    all.push_back(load(kTable, kNoRegister, 2));  // reads a register, as the loads of a chain do
    for (const WarpInstruction& instruction : behind(round)) all.push_back(instruction);
  }
  return alone(all);
}
ScriptedKernel in_groups(unsigned rounds, unsigned unfinished) {
  return rounds_of(rounds, [&](unsigned) { return Instructions{mbarrier(Op::commit_loads, 0), mbarrier(Op::wait_loads, 0, unfinished)}; });
}

/// Of a load whose line is in the L1.
Cycle cached_load_time() { return longer_when_warm(alone(load_chase(kTable, 4, 0)), alone(load_chase(kTable, 5, 0))); }

}  // namespace

TEST_CASE("asynchronous loads: a wait for the last group ends with its load, and a wait for the one before leaves two in flight") {
  CHECK(longer_when_warm(in_groups(4, 0), in_groups(5, 0)) == cached_load_time());
  CHECK(longer_when_warm(in_groups(8, 1), in_groups(10, 1)) == cached_load_time());
  CHECK(longer_when_warm(in_groups(8, 3), in_groups(12, 3)) == cached_load_time());
}

TEST_CASE("asynchronous loads: an mbarrier counts their end") {
  const auto rounds = [](unsigned count) {
    return rounds_of(count, [](unsigned round) {
      return Instructions{mbarrier(Op::arrive_later, 0, 1), mbarrier(Op::wait, 0, round % 2)};
    });
  };
  CHECK(longer_when_warm(rounds(4), rounds(5)) == cached_load_time());
  // Arrivals that the phase did not expect hold it up as long.
  const auto added = [](unsigned count) {
    return rounds_of(count, [](unsigned round) {
      return Instructions{mbarrier(Op::expect_arrivals, 0, 32), mbarrier(Op::arrive_later, 0, 32), arrive(0),
                          mbarrier(Op::wait, 0, round % 2)};
    });
  };
  CHECK(longer_when_warm(added(4), added(5)) == cached_load_time());
}

TEST_CASE("asynchronous loads: issue slots lost to them are those of loads, whatever waits for them and whichever block acts first") {
  const auto by_mbarrier = rounds_of(8, [](unsigned round) {
    return Instructions{mbarrier(Op::arrive_later, 0, 1), mbarrier(Op::wait, 0, round % 2)};
  });
  for (const ScriptedKernel& kernel : {in_groups(8, 0), in_groups(8, 1), by_mbarrier}) {
    RunOptions options = checked();
    options.cycle_stack = 1;
    const Outcome fixed = run_h100({kernel}, options);
    REQUIRE(fixed.end == End::done);
    std::map<std::string, double> slots = lost_slots(fixed);
    CHECK(slots["load"] > 0.9 * 8 * cached_load_time());
    CHECK(slots["mbarrier"] == 0.0);
    options.scramble = true;
    CHECK(differing_metrics(fixed, run_h100({kernel}, options)) == "");
  }
}

}  // namespace wharf::test

// Unloaded latencies of each path of a load in a cluster with an aggregated tag array, as sums of their causes (ata section 9), and the
// lookup, bank and corner cases that affect them (ata sections 7 and 8).

#include <catch2/catch.hpp>

#include "tests/designs/ata/platform/ata_rig.h"

namespace wharf::test {
namespace {

constexpr Cycle kExtra = 1, kCrossbar = 4, kNack = 1;  // ATA-O9, ATA-O13, ATA-O20
constexpr Cycle kL2 = 8 + 172 + 8;                     // ATA-O2: request network, slice, reply network

/// Instructions that keep a warp busy, so that `then` issues late.
Instructions late(Instructions then, unsigned rounds = 20) {
  Instructions instructions(rounds, compute(Unit::sfu, 5, 5));
  for (WarpInstruction& instruction : then) {
    if (instruction.sources[0] == kNoRegister) instruction.sources[0] = 5;
    instructions.push_back(instruction);
  }
  instructions.push_back(exit_warp());
  return instructions;
}

/// One warp per SM, in order. The previous kernel left the line in L2 and in no L1 (ATA-O7).
std::vector<ScriptedKernel> warm_then(const std::vector<Instructions>& of_sm) {
  ScriptedKernel kernel;
  for (const Instructions& instructions : of_sm) kernel.ctas.push_back({instructions});
  return {one_warp({load(kLine, 1, kNoRegister, kAllLanes)}), kernel};
}

/// Cycles of the second kernel's loads that `server` answered. Their number must be `loads`.
Cycle cycles(const Outcome& outcome, const std::string& server, std::uint64_t loads = 1) {
  REQUIRE(outcome.kernel(1, "sm.served_by." + server) == loads);
  return outcome.kernel(1, "sm.served_by_cycles." + server);
}

const Instructions kRead = {load(kLine, 1), exit_warp()};

TEST_CASE("a load of its own L1 takes 33 cycles in a cluster, and 32 without one") {
  const auto twice = warm_then({{load(kLine, 1), load(kLine, 2, 1), exit_warp()}});
  CHECK(kTag + kExtra + kData == 33);
  CHECK(cycles(run_ata("ata", twice), "l1") == kTag + kExtra + kData);
  CHECK(cycles(run_ata("private", twice), "l1") == kTag + kData);
  CHECK(cycles(run_ata("latency:tags_4", twice), "l1") == kTag + 4 + kData);
}

TEST_CASE("a load that no L1 of the cluster can serve takes 221 cycles to L2, and 220 without a cluster") {
  CHECK(kTag + kExtra + kL2 + kFill == 221);
  CHECK(cycles(run_ata("ata", warm_then({kRead})), "l2") == kTag + kExtra + kL2 + kFill);
  CHECK(cycles(run_ata("private", warm_then({kRead})), "l2") == kTag + kL2 + kFill);
}

TEST_CASE("a load of another L1 takes 41 cycles: tags, request, data, reply") {
  CHECK(kTag + kExtra + kCrossbar + kData + kCrossbar == 41);
  const auto kernels = warm_then({kRead, late({load(kLine, 1)})});
  CHECK(cycles(run_ata("ata", kernels), "peer") == 41);
  for (const Cycle crossbar : {2, 8})
    CHECK(cycles(run_ata("latency:crossbar_" + std::to_string(crossbar), kernels), "peer") == kTag + kExtra + 2 * crossbar + kData);
  for (const Cycle extra : {0, 2, 4})
    CHECK(cycles(run_ata("latency:tags_" + std::to_string(extra), kernels), "peer") == kTag + extra + 2 * kCrossbar + kData);
}

TEST_CASE("each further sector of another L1 takes a cycle more") {
  for (const unsigned sectors : {2u, 4u}) {
    const LaneMask lanes = sectors == 4 ? kAllLanes : 0xFFFF;
    const auto kernels = warm_then({{load(kLine, 1, kNoRegister, kAllLanes), exit_warp()}, late({load(kLine, 1, 5, lanes)})});
    const Outcome outcome = run_ata("ata", kernels);
    CHECK(cycles(outcome, "peer") == 41 + sectors - 1);  // ATA-O19: one flit per sector
    CHECK(outcome.run("cluster.sectors.received") == sectors);
  }
}

TEST_CASE("a read of a line that its SM has written since is denied and takes 230 cycles") {
  CHECK(kTag + kExtra + kCrossbar + kNack + kCrossbar + kL2 + kFill == 230);
  const auto kernels = warm_then({{load(kLine, 1), store(kLine + 8, 1), exit_warp()}, late({load(kLine, 1)})});
  const Outcome outcome = run_ata("ata", kernels);
  CHECK(cycles(outcome, "l2", 2) == 221 + 230);
  CHECK(outcome.run("cluster.nacks.dirty") == 1);
  CHECK(outcome.run("cluster.sectors.denied") == 1);
  // If the tags show it, no trip is wasted (ATA-O23).
  const Outcome shown = run_ata("ata_dirtytag", kernels);
  CHECK(cycles(shown, "l2", 2) == 221 + 221);
  CHECK(shown.run("cluster.requests") == 0);
}

TEST_CASE("two L1s that miss the same line in the same cycle both go to L2") {
  const Outcome outcome = run_ata("ata", warm_then({kRead, kRead}));
  CHECK(cycles(outcome, "l2", 2) == 221 + 221 + 1);  // ATA-O11: both looked up at once; the slice takes one request per cycle
  CHECK(outcome.run("cluster.requests") == 0);
}

TEST_CASE("SMs of different clusters do not serve each other") {
  std::vector<Instructions> of_sm(11, {exit_warp()});
  of_sm[0] = kRead;
  of_sm[10] = late({load(kLine, 1)});
  CHECK(cycles(run_ata("ata", warm_then(of_sm)), "l2", 2) == 221 + 221);
}

}  // namespace
}  // namespace wharf::test

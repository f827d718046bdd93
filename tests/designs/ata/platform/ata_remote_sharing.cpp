// ATA's remote-sharing (ata section 11.3, ATA-O29): its rules, and the exact latencies of the table of ata section 9 as sums of their
// causes. SM 0 searches. Its probe visits SMs 1 to 9, which are 1 to 9 hops away, and returns.

#include <algorithm>
#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "tests/designs/ata/platform/ata_rig.h"

namespace wharf::test {
namespace {

constexpr Cycle kHop = 3, kRing = 10, kL2Path = 188;
constexpr std::size_t kSms = 12;

Cycle data_ring(Cycle hops) { return 2 * std::min(hops, kRing - hops); }
Cycle remote_hit(Cycle hops) { return kTag + kHop * hops + kData + data_ring(hops); }
constexpr Cycle kNobody = kTag + kHop * kRing + kL2Path + kFill;

/// A kernel that loads the line into L2. Then SM `holder` does `early`, and SM 0 does `late`, which is measured, when all other traffic has
/// ended.
std::vector<ScriptedKernel> early_and_late(std::size_t holder, Instructions early, const WarpInstruction& late) {
  Instructions asks(60, compute(Unit::sfu, 5, 5));
  asks.push_back(late);
  ScriptedKernel kernel;
  kernel.ctas.resize(kSms, Warps{Instructions{exit_warp()}});
  kernel.ctas[0] = {asks};
  kernel.ctas[holder] = {std::move(early)};
  return {one_warp({load(kLine, 1, kNoRegister, 0xFFFF'FFFF)}), kernel};
}

WarpInstruction late_load(Address address = kLine, LaneMask active = 1) { return load(address, 1, 5, active); }

Outcome run_remote_sharing(const std::vector<ScriptedKernel>& kernels, const std::vector<std::string>& settings = {}) {
  return run_ata("remote_sharing", kernels, settings);
}

/// Cycles of the last kernel's loads that `server` answered, less `others`.
Cycle served_by(const Outcome& outcome, const char* server, Cycle others = 0) {
  return outcome.kernel(1, std::string("sm.served_by_cycles.") + server) - others;
}

TEST_CASE("a local hit of remote-sharing takes 32 cycles, as in private") {
  const Outcome outcome =
      run_remote_sharing({one_warp({load(kLine, 1)}), one_warp({load(kLine, 1), compute(Unit::alu, 2, 1), load(kLine, 3, 2)})});
  CHECK(served_by(outcome, "l1") == kTag + kData);
}

TEST_CASE("a probe that finds the line d hops on brings it after 4 + 3d + 28 + 2 min(d, 10 - d) cycles") {
  for (std::size_t hops = 1; hops <= 9; ++hops) {
    CAPTURE(hops);
    const Outcome outcome = run_remote_sharing(early_and_late(hops, {load(kLine, 1)}, late_load()));
    CHECK(outcome.kernel(1, "sm.served_by.peer") == 1);
    CHECK(served_by(outcome, "peer") == remote_hit(hops));
    // The holder's own search, whose probe returned, and SM 0's, which ended at the holder.
    CHECK(outcome.kernel(1, "probes.lookups") == 9 + hops);
    // ATA-O31: complete when its data have arrived; the holder's miss was decided when its probe returned.
    CHECK(outcome.kernel(1, "sm.l1_latency_sum") == remote_hit(hops) + (kTag + kHop * kRing + kData));
    CHECK(outcome.kernel(1, "sm.l1_latency_full_sum") == remote_hit(hops) + kNobody);
    CHECK(outcome.result.at("kernels").at(1).at("l1.contention") == 0.0);
  }
}

TEST_CASE("a probe that comes home after ten hops releases the L2 request, 250 cycles for a hit in L2") {
  CHECK(kNobody == 250);
  const Outcome outcome = run_remote_sharing(early_and_late(11, {exit_warp()}, late_load()));
  CHECK(served_by(outcome, "l2") == kNobody);
  CHECK(outcome.kernel(1, "probes.failed_searches") == 1);
  CHECK(outcome.kernel(1, "sm.l1_latency_sum") == kTag + kHop * kRing + kData);
}

TEST_CASE("only the SMs of the own cluster are searched") {
  const Outcome outcome = run_remote_sharing(early_and_late(10, {load(kLine, 1)}, late_load()));
  CHECK(served_by(outcome, "l2", kNobody) == kNobody);
  CHECK(outcome.kernel(1, "probes.lookups") == 9 + 9);
}

TEST_CASE("sectors of one reply follow each other on the data ring, one a cycle") {
  const Outcome outcome = run_remote_sharing(early_and_late(3, {load(kLine, 1, kNoRegister, kAllLanes)}, late_load(kLine, kAllLanes)));
  CHECK(served_by(outcome, "peer") == remote_hit(3) + 3);
}

TEST_CASE("a copy with only some of the requested sectors does not count, and the probe continues to one with all") {
  // Lanes 0 to 15 read sectors 0 and 1.
  const Outcome nowhere = run_remote_sharing(early_and_late(2, {load(kLine, 1)}, late_load(kLine, 0xFFFF)));
  CHECK(nowhere.kernel(1, "sm.served_by.peer") == 0);
  std::vector<ScriptedKernel> kernels = early_and_late(2, {load(kLine, 1)}, late_load(kLine, 0xFFFF));
  kernels[1].ctas[7] = {{compute(Unit::sfu, 5, 5), load(kLine, 1, 5, 0xFFFF)}};
  const Outcome outcome = run_remote_sharing(kernels);
  CHECK(outcome.kernel(1, "sm.served_by.peer") == 1);
  CHECK(served_by(outcome, "peer") == remote_hit(7) + 1);
}

TEST_CASE("if a line lacks some of the requested sectors, only these are searched for") {
  std::vector<ScriptedKernel> kernels = early_and_late(4, {load(kLine, 1)}, late_load(kLine, 0xFFFF));
  // SM 0 has sector 1 from L2, and needs 0 and 1.
  kernels[1].ctas[0][0].insert(kernels[1].ctas[0][0].begin(), load(kLine + 32, 5));
  const Outcome outcome = run_remote_sharing(kernels);
  CHECK(served_by(outcome, "peer") == remote_hit(4));
  CHECK(outcome.kernel(1, "sm.sectors.loaded") == 1 + 1 + 2);
  CHECK(outcome.kernel(1, "sm.sectors.own_l1") == 1);
  CHECK(outcome.kernel(1, "sm.sectors.other_l1") == 1);
}

TEST_CASE("a line that its SM has written to is not given, and the requester goes to L2 when it hears of it") {
  for (const std::size_t hops : {1u, 5u, 8u}) {
    CAPTURE(hops);
    // The store writes another sector, but the mark covers the whole line.
    const Outcome outcome =
        run_remote_sharing(early_and_late(hops, {load(kLine, 1), load(kLine + 64, 2), store(kLine + 64, 1)}, late_load()));
    CHECK(outcome.kernel(1, "probes.withheld") == 1);
    CHECK(outcome.kernel(1, "probes.supplied") == 0);
    CHECK(served_by(outcome, "l2", 2 * kNobody) == kTag + kHop * hops + 1 + data_ring(hops) + kL2Path + kFill);
  }
}

TEST_CASE("compared with private, remote-sharing hits more, sends less to L2, and has a longer L1 latency (ata section 11.4)") {
  const auto run = [](const char* configuration) {
    const Outcome outcome = run_apart(
        machine(configuration), [] { return cli::open_named_stimulus("cfd@tiny", 1); }, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome;
  };
  const Outcome own = run("ata/private"), sharing = run("ata/remote_sharing");
  CHECK(own.ratio("l1.hit_rate_remote") == 0.0);
  CHECK(own.ratio("l1.contention") == 0.0);
  CHECK(sharing.ratio("l1.hit_rate_remote") > 0.1);
  CHECK(sharing.ratio("l1.hit_rate_local") + sharing.ratio("l1.hit_rate_remote") > own.ratio("l1.hit_rate_local"));
  CHECK(sharing.ratio("l2.sector_demand") < own.ratio("l2.sector_demand"));
  CHECK(sharing.ratio("net.l2_bytes_per_cycle") < own.ratio("net.l2_bytes_per_cycle"));
  CHECK(sharing.ratio("l1.latency") > own.ratio("l1.latency"));
  CHECK(sharing.ratio("l1.contention") > 0.0);
}

TEST_CASE("machines that ATA's remote-sharing cannot be are refused") {
  const auto refused = [](const std::vector<std::string>& settings, const std::string& why) {
    CHECK_THROWS_WITH(machine("ata/remote_sharing", settings), Catch::Contains(why));
  };
  refused({"remote_sharing.cluster_sms=7"}, "cluster_sms: 7 does not divide the 30 SMs");
  refused({"remote_sharing.cluster_sms=1"}, "cluster_sms leaves an SM no other L1 to search");
  refused({"transaction=sector"}, "SMs search for lines");
  refused({"remote_sharing.queues.outgoing=256"}, "4 * l1.mshr_entries");
  refused({"remote_sharing.queues.selective_l2=256"}, "4 * l1.mshr_entries");
  refused({"network.peer=ring", "network.request_ring.hop_cycles=1"}, "peer is not rings");
  refused({"remote_sharing.scheme=none", "remote_sharing.written_lines=withhold"}, "written_lines");
}

}  // namespace
}  // namespace wharf::test

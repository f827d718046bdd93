// Designs that share L1s over the SM-to-SM network of a GPC: the latency of a line that another L1 of the GPC supplies, as a sum of its
// causes, random traffic with all checks, and what is refused (modern_gpus section 4).

#include <catch2/catch.hpp>

#include "tests/designs/cluster/platform/h100_clusters.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;

constexpr Cycle kTag = 12, kData = 16, kFill = 3;

Outcome run_design(const std::string& design, const std::vector<ScriptedKernel>& kernels, const Settings& settings = {}) {
  INFO(design);
  return run_checked(machine("cluster/" + design + "_112", settings), kernels);
}

/// Cycles of a load of SM 0 whose line only the L1 of SM `holder` has: it has read the line long before.
Cycle read_of(const std::string& design, unsigned holder, const Settings& settings = {}) {
  Instructions late(40, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  late.push_back(exit_warp());
  ScriptedKernel kernel;
  kernel.ctas.resize(holder + 1, Warps{Instructions{exit_warp()}});
  kernel.ctas[0] = {late};
  kernel.ctas[holder] = {{load(kLine, 1), exit_warp()}};
  const Outcome outcome = run_design(design, {kernel}, settings);
  REQUIRE(outcome.run("sm.served_by.peer") == 1);
  return outcome.run("sm.served_by_cycles.peer");
}

/// Cycles of the second of two dependent loads of SM 0, of a line whose home is SM `home`.
Cycle hit_at(const std::string& design, Address line, const Settings& settings = {}) {
  const Outcome outcome = run_design(design, {one_warp({load(line, 1), load(line, 2, 1), exit_warp()})}, settings);
  REQUIRE(outcome.run("sm.served_by.home") == 1);
  return outcome.run("sm.served_by_cycles.home");
}

/// Cycles in the network of a message that takes a hop. Leaving the SM is the first cycle of a hop: the distributor of ata counts it, the
/// interfaces of the other designs add no time.
constexpr Cycle way(Cycle hop) { return hop - 1; }

// CL-2, CL-7
TEST_CASE("cluster sharing: a line of another L1 takes the tags, a hop, its lookup there, a hop back and what the design adds") {
  const Cycle extra = 1;  // ata.extra_tag_cycles; the holder reads its data without another lookup, and the data go to the SM at once
  CHECK(read_of("ata", 2) == kTag + extra + kBase + kData + kBase);
  CHECK(read_of("ata", 1) == kTag + extra + kSameTpc + kData + kSameTpc);
  CHECK(read_of("ata", 6) == kTag + extra + 2 * (kBase + kSecondCpc) + kData);
  CHECK(read_of("ata", 2, {"network.cluster.base=20"}) == kTag + extra + 20 + kData + 20);
  CHECK(read_of("direct", 2) == kTag + way(kBase) + kTag + kData + way(kBase) + kFill);

  const auto of_home = [](unsigned home, Address stride) { return kLine + home * stride; };
  const Address set = 512, chunk = 256;  // consecutive homes: as many lines as an L1 has sets; 256 B
  const Cycle router = 1, at_sm = 1;
  CHECK(hit_at("shared_l1", of_home(2, set)) == router + way(kBase) + kTag + kData + way(kBase) + at_sm);
  CHECK(hit_at("shared_l1", of_home(6, set)) == router + 2 * way(kBase + kSecondCpc) + kTag + kData + at_sm);
  CHECK(hit_at("dc_l1", of_home(2, chunk)) == way(kBase) + kTag + kData + way(kBase));
  CHECK(hit_at("dc_l1", of_home(1, chunk)) == way(kSameTpc) + kTag + kData + way(kSameTpc));
  CHECK(hit_at("dc_l1", of_home(0, chunk)) == way(kSameTpc) + kTag + kData + way(kSameTpc));  // also the node at the own SM
  CHECK(hit_at("dc_l1", of_home(2, chunk), {"network.cluster.base=20"}) == way(20) + kTag + kData + way(20));
}

TEST_CASE("cluster sharing: of two SMs that have the line, the one of the same TPC is nearer than the one of the lower number") {
  Instructions late(40, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  late.push_back(exit_warp());
  const Instructions early = {load(kLine, 1), exit_warp()};
  const Outcome outcome = run_design("direct", {ScriptedKernel{{{early}, {{exit_warp()}}, {early}, {late}}}});
  REQUIRE(outcome.run("sm.served_by.peer") == 1);
  CHECK(outcome.run("sm.served_by_cycles.peer") == kTag + way(kSameTpc) + kTag + kData + way(kSameTpc) + kFill);
}

TEST_CASE("cluster sharing: SMs of different GPCs do not serve each other") {
  const auto read_by = [](unsigned sm) {
    Instructions late(40, compute(Unit::sfu, 5, 5));
    late.push_back(load(kLine, 1, 5));
    late.push_back(exit_warp());
    ScriptedKernel kernel;
    kernel.ctas.resize(sm + 1, Warps{Instructions{exit_warp()}});
    kernel.ctas[0] = {{load(kLine, 1), exit_warp()}};
    kernel.ctas[sm] = {late};
    return std::vector<ScriptedKernel>{kernel};
  };
  for (const std::string design : {"ata", "shared_l1", "dc_l1", "direct"}) {
    CAPTURE(design);
    const auto by_others = [](const Outcome& outcome) { return outcome.run("sm.served_by.peer") + outcome.run("sm.served_by.home"); };
    CHECK(by_others(run_design(design, read_by(15))) == 1);
    CHECK(by_others(run_design(design, read_by(16))) == 0);
  }
}

TEST_CASE("cluster sharing: no access is lost, doubled or stale under random traffic, in any order of the blocks") {
  const Settings small = {"sms=8",
                          "network.hierarchical_crossbar.gpcs=[4,4]",
                          "network.hierarchical_crossbar.cpc_sms=2",
                          "network.cluster.queue=1",
                          "channels=2",
                          "watchdog.interval_cycles=40000",
                          "l2.slice_kib=4",
                          "l2.ways=4"};
  const Settings few_lines = {"sm.unified_kib=0", "l1.capacity_kib=2", "l1.ways=4"};
  for (const std::uint64_t seed : {1, 2, 3}) {
    CAPTURE(seed);
    soak("cluster/ata_112", small + few_lines + Settings{"ata.cluster_size=4", "ata.request_queue=1", "ata.read_queue=1"}, seed);
    soak("cluster/shared_l1_112", small + few_lines + Settings{"shared_l1.group_sms=4", "shared_l1.in_queue=1", "shared_l1.out_queue=1"},
         seed);
    soak("cluster/dc_l1_112", small + few_lines + Settings{"dc_l1.nodes=8", "dc_l1.clusters=2", "dc_l1.queues.q1=1", "dc_l1.queues.q2=1"},
         seed);
  }
}

// CL-7
TEST_CASE("cluster sharing: groups that cross GPCs, and networks that cannot replace a design's own, are refused with the remedy") {
  const auto refused = [](const std::string& design, const Settings& settings, const std::string& reason) {
    CAPTURE(design);
    CHECK_THROWS_WITH(machine("cluster/" + design + "_112", settings), Contains(reason));
  };
  const std::string crosses = " SMs that share their L1s do not divide each of network.hierarchical_crossbar.gpcs (CL-7); choose groups";
  refused("ata", {"ata.cluster_size=14"}, "network.peer is cluster, and groups of 14" + crosses);
  refused("shared_l1", {"shared_l1.group_sms=28"}, "groups of 28" + crosses);
  refused("shared_l1", {"shared_l1.group_sms=0"}, "groups of 112" + crosses);
  refused("dc_l1", {"dc_l1.clusters=4"}, "groups of 28" + crosses);
  refused("remote_sharing", {"remote_sharing.cluster_sms=0"}, "groups of 112" + crosses);
  refused("shared_l1", {"shared_l1.group_sms=15"}, "group_sms: 15 does not divide 112 SMs; choose one that does, or 0");
  for (const std::string design : {"ata", "dc_l1"}) refused(design, {"network.peer=ideal"}, "set network.peer: cluster, or carrier: own");
  refused("dc_l1", {"dc_l1.nodes=56"}, "needs a node at each SM; set dc_l1.l1_at: nodes and dc_l1.nodes: 112");
  refused("dc_l1", {"dc_l1.noc1.carrier=own"}, "set network.topology: crossbar");
  refused("dc_l1", {"dc_l1.noc1.clock_mhz=700"}, "carrier is peer: network.cluster applies");
  refused("ata", {"ata.crossbar.latency=8"}, "carrier is peer: network.cluster applies");
}

}  // namespace
}  // namespace wharf::test

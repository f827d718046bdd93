// Designs that share L1s over the SM-to-SM network of a GPC, on an H100: the latency of a line that another L1 of the GPC or L2 supplies, as
// a sum of its causes, which SMs serve each other, and what is refused (modern_gpus section 4).

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "tests/designs/cluster/platform/h100_clusters.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;

constexpr Cycle kTag = 12, kData = 16, kFill = 3, kLink = 78;

Outcome run_design(const std::string& design, const std::vector<ScriptedKernel>& kernels, const Settings& settings = {}) {
  INFO(design);
  return run_checked(machine("cluster/" + design, settings), kernels);
}

/// SM `reader` reads a line long after SM `holder`.
ScriptedKernel reads_after(unsigned holder, unsigned reader) {
  Instructions late(40, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  late.push_back(exit_warp());
  ScriptedKernel kernel;
  kernel.ctas.resize(std::max(holder, reader) + 1, Warps{Instructions{exit_warp()}});
  kernel.ctas[reader] = {late};
  kernel.ctas[holder] = {{load(kLine, 1), exit_warp()}};
  return kernel;
}

/// Cycles of a load of SM 0 whose line only the L1 of SM `holder` has.
Cycle read_of(const std::string& design, unsigned holder, const Settings& settings = {}) {
  const Outcome outcome = run_design(design, {reads_after(holder, 0)}, settings);
  REQUIRE(outcome.run("sm.served_by.peer") == 1);
  return outcome.run("sm.served_by_cycles.peer");
}

/// A line whose home in the first GPC, which has 18 SMs, is SM `home`: consecutive lines have consecutive homes.
Address line_at(unsigned home) { return Address{18 * 1000 + home} * kLineBytes; }

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

  const Cycle router = 1, at_sm = 1;
  CHECK(hit_at("shared_l1", line_at(2)) == router + way(kBase) + kTag + kData + way(kBase) + at_sm);
  CHECK(hit_at("shared_l1", line_at(6)) == router + 2 * way(kBase + kSecondCpc) + kTag + kData + at_sm);
  CHECK(hit_at("dc_l1", line_at(2)) == way(kBase) + kTag + kData + way(kBase));
  CHECK(hit_at("dc_l1", line_at(1)) == way(kSameTpc) + kTag + kData + way(kSameTpc));
  CHECK(hit_at("dc_l1", line_at(0)) == way(kSameTpc) + kTag + kData + way(kSameTpc));  // also the node at the own SM
  CHECK(hit_at("dc_l1", line_at(2), {"network.cluster.base=20"}) == way(20) + kTag + kData + way(20));
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

// MG-16
TEST_CASE("cluster sharing: SMs of a GPC serve each other whatever its size, and SMs of different GPCs do not") {
  const auto by_others = [](const std::string& design, unsigned holder, unsigned reader, const Settings& settings = {}) {
    const Outcome outcome = run_design(design, {reads_after(holder, reader)}, settings);
    return outcome.run("sm.served_by.peer") + outcome.run("sm.served_by.home");
  };
  for (const std::string design : {"ata", "shared_l1", "dc_l1", "direct"}) {
    CAPTURE(design);
    CHECK(by_others(design, 0, 17) == 1);  // the first GPC has 18 SMs, the second 16
    CHECK(by_others(design, 17, 18) == 0);
    CHECK(by_others(design, 18, 33) == 1);
    CHECK(by_others(design, 33, 34) == 0);
    CHECK(by_others(design, 66, 83) == 1);
    CHECK(by_others(design, 131, 117) == 1);
  }
  CHECK(by_others("ata", 16, 17, {"ata.cluster_size=2"}) == 1);
  CHECK(by_others("ata", 15, 16, {"ata.cluster_size=2"}) == 0);
  CHECK(by_others("direct", 15, 16, {"remote_sharing.cluster_sms=2"}) == 0);
}

// MG-8, MG-11
TEST_CASE("cluster sharing: a miss that L2 serves crosses between its halves as one of a private L1 does, and once") {
  for (const std::string design : {"private", "ata", "direct", "shared_l1", "dc_l1"}) {
    CAPTURE(design);
    const auto hits = [&](unsigned half) {
      const GpuParams params = machine("cluster/" + design);
      Address line = line_at(2);
      while (params.addresses()->locate(line).slice / (params.slices() / 2) != half) line += 18 * kLineBytes;  // the same home
      ScriptedKernel from_there;  // an SM of the line's half brings it into L2
      from_there.ctas.resize(half == 0 ? 1 : params.sms, Warps{Instructions{exit_warp()}});
      from_there.ctas.back() = {{load(line, 1)}};
      const ScriptedKernel one = one_warp({load(line, 1)});
      const Outcome outcome = run_design(design, {from_there, one, one});
      REQUIRE(outcome.kernel(0, "sm.served_by.dram") == 1);
      return std::pair{outcome.kernel(1, "sm.served_by_cycles.l2"), outcome.kernel(2, "sm.served_by_cycles.l2")};
    };
    const auto [near, near_again] = hits(0);
    const auto [far, far_again] = hits(1);
    CHECK(near > 200);
    CHECK(near_again == near);
    CHECK(far == near + kLink + kLink);
    CHECK(far_again == near);
  }
}

// CL-7
TEST_CASE("cluster sharing: groups that cross GPCs, and networks that cannot replace a design's own, are refused with the remedy") {
  const auto refused = [](const std::string& design, const Settings& settings, const std::string& reason) {
    CAPTURE(design);
    CHECK_THROWS_WITH(machine("cluster/" + design, settings), Contains(reason));
  };
  const std::string crosses =
      " SMs that share their L1s cross GPCs (CL-7); choose groups that divide each of network.hierarchical_crossbar.gpcs, or gpc";
  refused("ata", {"ata.cluster_size=4"}, "peer is cluster, and groups of 4" + crosses);
  refused("shared_l1", {"shared_l1.group_sms=33"}, "groups of 33" + crosses);
  refused("shared_l1", {"shared_l1.group_sms=0"}, "groups of 132" + crosses);
  refused("dc_l1", {"dc_l1.clusters=4"}, "groups of 33" + crosses);
  refused("remote_sharing", {"remote_sharing.cluster_sms=0"}, "groups of 132" + crosses);
  refused("shared_l1", {"shared_l1.group_sms=15"}, "group_sms: 15 does not divide the 132 SMs; choose a divisor");
  for (const std::string design : {"ata", "dc_l1"}) refused(design, {"network.peer=ideal"}, "set network.peer: cluster, or carrier: own");
  refused("dc_l1", {"dc_l1.nodes=66"}, "needs a node at each SM; set dc_l1.l1_at: nodes and dc_l1.nodes: 132");
  refused("dc_l1", {"dc_l1.noc1.carrier=own"}, "set network.topology: crossbar");
  refused("dc_l1", {"dc_l1.noc1.clock_mhz=700"}, "carrier is peer: network.cluster applies");
  refused("ata", {"ata.crossbar.latency=8"}, "carrier is peer: network.cluster applies");
}

// MG-16
TEST_CASE("cluster sharing: groups by GPC are refused where there are no GPCs or a block needs other sizes, with the remedy") {
  const auto refused = [](const std::string& configuration, const Settings& settings, const std::string& reason) {
    CAPTURE(configuration);
    CHECK_THROWS_WITH(machine(configuration, settings), Contains(reason));
  };
  const std::string no_gpcs = " has no GPCs; choose a number, or set network.topology: hierarchical_crossbar";
  refused("ata/ata", {"ata.cluster_size=gpc"}, "cluster_size: gpc, but network.topology: crossbar" + no_gpcs);
  refused("remote_sharing/rp_5_2_05", {"remote_sharing.cluster_sms=gpc"}, "cluster_sms: gpc, but network.topology: mesh" + no_gpcs);
  refused("shared_l1/shared", {"shared_l1.group_sms=gpc"}, "group_sms: gpc, but network.topology: mesh" + no_gpcs);
  refused("dc_l1/sh40_c10", {"dc_l1.clusters=gpc"}, "clusters: gpc, but network.topology: crossbar" + no_gpcs);
  refused("ata/ata", {"ata.cluster_size=gpcs"}, "or the word gpc");
  refused("cluster/ata", {"ata.cluster_size=65"}, "or the word gpc");
  refused("cluster/ata", {"ata.crossbar.carrier=own"},
          "clusters have 18 SMs, but a crossbar of their own joins at most 16; choose smaller");
  refused("cluster/ata", {"ata.store_invalidates_cluster=true"},
          "request_queue: 10 cannot hold an invalidation for every other L1 of a cluster; make it at least 17");
  refused("cluster/remote_sharing", {"network.peer=ring"}, "the groups differ in size; choose equal groups, or network.peer: cluster");
  refused("cluster/remote_sharing", {"sms=17", "l2.near_sms=16", "network.hierarchical_crossbar.gpcs=[16,1]"},
          "cluster_sms leaves an SM no other L1 to search; choose GPCs of at least 2 SMs, or a number that divides them");
  refused("cluster/dc_l1", {"dc_l1.home_map=slice_range"}, "as many of the 80 L2 slices; set dc_l1.home_map: chunk_mod");
  const Settings cut = {"l2.partition_coherence=expire", "l2.near_sms=60"};
  for (const auto& [design, key] : {std::pair{"ata", "ata.cluster_size"},
                                    {"remote_sharing", "remote_sharing.cluster_sms"},
                                    {"shared_l1", "shared_l1.group_sms"},
                                    {"dc_l1", "dc_l1.clusters"}})
    refused(std::string("cluster/") + design, cut, std::string("SMs that share L1s by ") + key + " are near one half of L2");
  CHECK_NOTHROW(machine("cluster/h100", cut));
}

}  // namespace
}  // namespace wharf::test

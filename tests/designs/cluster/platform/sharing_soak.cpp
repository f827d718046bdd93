// Designs that share L1s beside an L2 in two partitions: random traffic under golden memory, in any order of the blocks, in GPCs of unequal
// size and on other networks (modern_gpus sections 2 and 5).

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

const Settings kFewLinesInL1 = {"sm.unified_kib=0", "l1.capacity_kib=4", "l1.ways=4"};
/// One place in the design's queues.
const std::vector<std::pair<std::string, Settings>> kDesigns = {
    {"cluster/ata", {"ata.request_queue=1", "ata.read_queue=1"}},
    {"cluster/ata", {"ata.request_queue=4", "ata.store_invalidates_cluster=true"}},
    {"cluster/remote_sharing", {"remote_sharing.queues.incoming=1", "remote_sharing.queues.forwarded=1", "remote_sharing.probes=2"}},
    {"cluster/direct", {"remote_sharing.queues.incoming=1"}},
    {"cluster/shared_l1", {"shared_l1.in_queue=1", "shared_l1.out_queue=1"}},
    {"cluster/dc_l1", {"dc_l1.nodes=8", "dc_l1.queues.q1=1", "dc_l1.queues.q2=1"}}};

/// Eight SMs in GPCs of five and three, each near its half of L2. Chunks are so small that the hot lines are in both halves.
const Settings kUnequal = {"sms=8",
                           "network.hierarchical_crossbar.gpcs=[5,3]",
                           "network.hierarchical_crossbar.cpc_sms=2",
                           "network.cluster.queue=1",
                           "channels=2",
                           "watchdog.interval_cycles=40000",
                           "l2.slice_kib=4",
                           "l2.ways=4",
                           "l2.near_sms=5",
                           "l2.partition_chunk_kib=1",
                           "l2.link.cycles=9",
                           "l2.link.queue=2"};

void soak_designs(const Settings& settings, std::uint64_t first, std::uint64_t last) {
  for (const auto& [design, queues] : kDesigns)
    for (std::uint64_t seed = first; seed <= last; ++seed)
      soak(design, kUnequal + kFewLinesInL1 + queues + settings, seed, kFewLines, [](const Outcome& outcome) {
        CHECK(outcome.run("l2.far") > 0);
        CHECK(outcome.run("sm.served_by.peer") + outcome.run("sm.served_by.home") > 0);
      });
}

TEST_CASE("sharing L1s in unequal GPCs: no access is lost, doubled or stale where a half of L2 forwards far accesses") {
  soak_designs({"l2.partition=home_only", "l2.entry_cycles=2"}, 1, 2);
}

TEST_CASE("sharing L1s in unequal GPCs: no access is lost, doubled or stale where a half of L2 keeps copies until stores") {
  soak_designs({}, 3, 5);
}

TEST_CASE("sharing L1s in unequal GPCs: no access is lost, doubled or stale where a half of L2 keeps copies until a kernel starts") {
  soak_designs({"l2.partition_coherence=expire"}, 6, 8);
}

TEST_CASE("sharing L1s in unequal GPCs: no access is lost or doubled where every L1 has a place for one fill and merges nothing") {
  const Settings full = {"l1.fill_queue=1", "l1.mshr_targets=1", "sm.lsu_queue=1"};
  for (const char* design : {"cluster/shared_l1", "cluster/ata", "cluster/remote_sharing", "cluster/direct"})
    for (const std::uint64_t seed : {11, 12}) soak(design, kUnequal + kFewLinesInL1 + full, seed);
}

TEST_CASE("sharing L1s in a GPC that is near both halves of L2: no access is lost, doubled or stale") {
  soak_designs({"l2.near_sms=3"}, 9, 10);
  soak_designs({"l2.near_sms=3", "l2.partition=home_only"}, 11, 11);
}

TEST_CASE("sharing L1s in groups of a number, within GPCs: no access is lost, doubled or stale") {
  const Settings equal = {"network.hierarchical_crossbar.gpcs=[4,4]", "l2.near_sms=4"};
  for (const auto& [design, key] : {std::pair{0, "ata.cluster_size=2"}, {2, "remote_sharing.cluster_sms=4"}, {4, "shared_l1.group_sms=2"}})
    soak(kDesigns[design].first, kUnequal + equal + kFewLinesInL1 + kDesigns[design].second + Settings{key}, 12);
  soak("cluster/dc_l1", kUnequal + equal + kFewLinesInL1 + Settings{"dc_l1.nodes=8", "dc_l1.clusters=4"}, 12);
}

TEST_CASE("sharing L1s of all 132 SMs of an H100: no access is lost, doubled or stale") {
  const TrafficShape all_sms = {1, 264, 1, 8, 12, 200, 1, true};
  for (const std::string design : {"ata", "remote_sharing", "direct", "shared_l1", "dc_l1"})
    soak("cluster/" + design, {}, 13, all_sms,
         [](const Outcome& outcome) { CHECK(outcome.run("sm.served_by.peer") + outcome.run("sm.served_by.home") > 0); });
}

TEST_CASE("sharing L1s on other networks than the clusters': no access is lost, doubled or stale beside halves of L2") {
  const Settings halves = {"sms=4",
                           "channels=2",
                           "slices_per_channel=1",
                           "l2.partitions=2",
                           "l2.partition=local_copy",
                           "l2.partition_chunk_kib=1",
                           "l2.entry_cycles=3",
                           "watchdog.interval_cycles=40000"};
  const Settings expire = {"l2.partition_coherence=expire", "ata.cluster_size=2"};
  soak("ata/ata", halves + Settings{"ata.cluster_size=4"}, 14);
  soak("ata/ata", halves + expire, 15);
  soak("remote_sharing/ccn_ring", halves, 16);
  soak("remote_sharing/rp_27_1_1", halves, 17);
  soak("shared_l1/shared", halves, 18);
  soak("shared_l1/dyn_eb", halves + Settings{"l2.partition=home_only"}, 19);
}

}  // namespace
}  // namespace wharf::test

// Random traffic through clusters with an aggregated tag array: nothing is lost, duplicated or stale, except as ATA-O26 allows. No
// deadlock, and the same result in any order of the blocks.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

/// Eight SMs in two clusters, two slices, caches of a few lines.
const Settings kFew = {"sms=8",
                       "ata.cluster_size=4",
                       "channels=2",
                       "slices_per_channel=1",
                       "watchdog.interval_cycles=40000",
                       "sm.warps=8",
                       "sm.ctas=2",
                       "l1.capacity_kib=2",
                       "l1.ways=4",
                       "l2.slice_kib=4",
                       "l2.ways=4",
                       "l2.access_cycles=10",
                       "l2.input_queue=10",
                       "dram_link_queue=2"};
/// One place in every queue.
const Settings kSmallest = {"sms=4",
                            "ata.cluster_size=4",
                            "ata.request_queue=1",
                            "ata.read_queue=1",
                            "ata.crossbar.voq_flits=1",
                            "channels=2",
                            "slices_per_channel=1",
                            "watchdog.interval_cycles=40000",
                            "sm.lsu_queue=1",
                            "sm.loads_in_flight=2",
                            "sm.warps=8",
                            "sm.ctas=2",
                            "l1.capacity_kib=1",
                            "l1.ways=2",
                            "l1.tag_cycles=1",
                            "l1.data_cycles=1",
                            "l1.input_queue=2",
                            "l1.fill_queue=1",
                            "l1.miss_queue=1",
                            "l1.mshr_entries=1",
                            "l1.mshr_targets=1",
                            "l1.age_limit=1",
                            "network.interface_packets=1",
                            "network.crossbar.buffer_flits=1",
                            "network.crossbar.ejection_flits=1",
                            "l2.slice_kib=1",
                            "l2.ways=2",
                            "l2.access_cycles=1",
                            "l2.input_queue=1",
                            "l2.mshr_entries=1",
                            "l2.mshr_targets=1",
                            "l2.miss_queue=2",
                            "l2.reply_queue=1",
                            "l2.dram_extra_cycles=1",
                            "dram.queue_entries=1",
                            "dram.return_entries=1",
                            "dram_link_queue=1"};

void check_conservation(const Outcome& outcome) {
  const auto sum = [&](const char* metric) { return outcome.run(metric); };
  CHECK(sum("sm.round_trips") == sum("l1.load.accesses") + sum("l1.texture.accesses"));
  CHECK(sum("cluster.reads") == sum("cluster.requests"));
  CHECK(sum("cluster.sectors.asked") == sum("cluster.sectors.requested"));
  CHECK(sum("cluster.sectors.supplied") == sum("cluster.sectors.received"));
  CHECK(sum("cluster.sectors.refused") == sum("cluster.sectors.denied"));
  CHECK(sum("cluster.invalidated") == sum("cluster.invalidations"));
  CHECK(sum("cluster.request.packets") == sum("cluster.requests") + sum("cluster.invalidations"));
  CHECK(sum("l2.stores") == sum("nic.l2.acks"));
  CHECK(sum("l2.atomics") == sum("l1.atomics"));
  CHECK(sum("l2.accesses") == sum("nic.sm.requests"));
}

Outcome soak(const Settings& settings, std::uint64_t seed) { return test::soak("ata/ata", settings, seed, kFewLines, check_conservation); }

TEST_CASE("random traffic passes through clusters of L1s under each rule for stores, dirty lines and full crossbars") {
  std::uint64_t received = 0, denied = 0;
  for (const Settings& rule : {Settings{}, Settings{"ata.dirty_in_tag=true"}, Settings{"ata.divert_when_full=true", "ata.request_queue=1"},
                               Settings{"ata.remote_lru_touch=true", "ata.crossbar.latency=2"}, Settings{"ata.extra_tag_cycles=0"}})
    for (const std::uint64_t seed : {1, 2}) {
      const Outcome outcome = soak(kFew + rule, seed);
      received += outcome.run("cluster.sectors.received");
      denied += outcome.run("cluster.sectors.denied");
    }
  CHECK(received > 0);
  CHECK(denied > 0);
}

TEST_CASE("with the smallest queues nothing is lost, doubled or stuck between the L1s of a cluster") {
  std::uint64_t evicted = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) evicted += soak(kSmallest, seed).run("cluster.nacks.evicted");
  evicted += soak(kSmallest + Settings{"ata.divert_when_full=true", "ata.crossbar.flit_bytes=8"}, 5).run("cluster.nacks.evicted");
  evicted += soak(kSmallest + Settings{"l1.data_banks=2", "ata.crossbar.latency=8"}, 6).run("cluster.nacks.evicted");
  Settings one_bank = kSmallest + Settings{"l1.data_banks=1"};
  one_bank.erase(std::find(one_bank.begin(), one_bank.end(), "l1.age_limit=1"));
  evicted += soak(one_bank, 7).run("cluster.nacks.evicted");
  CHECK(evicted > 0);
}

TEST_CASE("where stores invalidate the cluster no SM sees a value older than its own store") {
  std::uint64_t invalidations = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Outcome outcome = soak(kFew + Settings{"ata.store_invalidates_cluster=true"}, seed);
    CHECK(outcome.run("stale_own.peer") == 0);  // ATA-O26; golden memory checks the SM's own L1: ATA-O25
    invalidations += outcome.run("cluster.invalidations");
  }
  CHECK(soak(kSmallest + Settings{"ata.store_invalidates_cluster=true", "ata.request_queue=3"}, 4).run("stale_own.peer") == 0);
  CHECK(invalidations > 0);
}

TEST_CASE("where they do not, a value older than the own store may come from a neighbour, and only of lines that are counted") {
  std::uint64_t stale = 0, possible = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    const Outcome outcome = soak(kFew, seed);
    stale += outcome.run("stale_own.peer");
    possible += outcome.run("cluster.sectors.own_written");
  }
  CHECK(stale > 0);
  CHECK(possible > 0);
}

TEST_CASE("kernels that end with their CTAs may leave reads of other L1s in flight without harm") {
  for (const std::uint64_t seed : {1, 2}) soak(kFew + Settings{"front_end.kernel_end=ctas_done", "sm.cta_waits_for_stores=true"}, seed);
}

}  // namespace
}  // namespace wharf::test

// Random traffic with random predictions: gated dirty lines, writes that bypass L2, merges with data that are not stored. Nothing is lost,
// duplicated or stale, no deadlock, and the same result in any order of the blocks (loscache section 13, check 2).

#include <catch2/catch.hpp>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

const Settings kRandom = {"l2.line_policy=loscache", "sm.prediction.scheme=adaptive", "sm.prediction.source=random"};
const Settings kFewSlices = {"channels=2",
                             "slices_per_channel=1",
                             "watchdog.interval_cycles=40000",
                             "sm.warps=8",
                             "sm.ctas=2",
                             "l2.slice_kib=4",
                             "l2.ways=4",
                             "l2.access_cycles=10",
                             "l2.input_queue=10",
                             "dram_link_queue=2"};
const Settings kSmallest = {"sm.lsu_queue=1",
                            "sm.loads_in_flight=2",
                            "l1.mshr_entries=1",
                            "l1.mshr_targets=1",
                            "l1.miss_queue=1",
                            "l1.fill_queue=1",
                            "network.interface_packets=1",
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
                            "l2.wake_cycles=0",
                            "dram.queue_entries=1",
                            "dram.return_entries=1",
                            "dram_link_queue=1"};

Outcome soak(const std::string& configuration, const Settings& settings, std::uint64_t seed) {
  return test::soak(configuration, settings, seed, kFewLines, [](const Outcome& outcome) {
    CHECK(outcome.run("l2.stores") == outcome.run("nic.l2.acks"));
    CHECK(outcome.run("l2.accesses") == outcome.run("sm.prediction.l2_accesses"));
  });
}

TEST_CASE("random traffic and random predictions leave nothing stale in the GPU of loscache, with few lines and the smallest queues") {
  std::uint64_t dirty = 0, past = 0, waited = 0;
  for (const std::uint64_t seed : {1, 2, 3})
    for (const Settings& queues : {Settings{}, kSmallest, Settings{"l2.write_miss=fetch_always", "l2.gate_compare=pre"},
                                   Settings{"l2.victim_order=off_first"}, kSmallest + Settings{"l2.victim_order=off_first"}}) {
      const Outcome outcome = soak("loscache", kFewSlices + kRandom + Settings{"sms=4"} + queues, seed);
      dirty += outcome.run("l2.gates.dirty");
      past += outcome.run("l2.bypassed_writes");
      waited += outcome.run("l2.refused.pending_store");
    }
  CHECK(dirty > 0);
  CHECK(past > 0);
  CHECK(waited > 0);
}

TEST_CASE("random predictions leave nothing stale behind DC-L1 nodes, a mesh, home L1s and a cluster's aggregated tags") {
  for (const std::uint64_t seed : {1, 2}) {
    soak("dc_l1", kRandom + Settings{"l2.slice_kib=4", "l2.ways=4"}, seed);
    soak("remote_sharing", kRandom + Settings{"l2.slice_kib=4", "l2.ways=4"}, seed);
    soak("gpus/28sm_mesh", kRandom + Settings{"l2.slice_kib=4", "l2.ways=4"}, seed);
    for (const char* name : {"shared_l1", "shared_l1/shared"}) soak(name, kRandom + Settings{"l2.slice_kib=4", "l2.ways=4"}, seed);
    soak("ata", kRandom + kFewSlices + Settings{"sms=8", "ata.cluster_size=4"}, seed);
  }
}

TEST_CASE("prediction phases pass on every platform, with every probe answered and nothing stale") {
  const Settings on = {"l2.line_policy=loscache", "sm.prediction.scheme=adaptive", "sm.warp_filter=predictor_cta",
                       "sm.prediction.period_accesses=10"};
  for (const char* configuration : {"dc_l1", "dc_l1/cdxbar", "remote_sharing", "gpus/28sm_mesh", "shared_l1", "shared_l1/shared", "ata"}) {
    const Outcome outcome = soak(configuration, on, 3);
    CHECK(outcome.run("l2.probes") > 0);
    CHECK(outcome.run("l2.probes") == outcome.run("sm.prediction.probes"));
    CHECK(outcome.run("l2.probes.present") == outcome.run("sm.prediction.probes.present"));
  }
}

TEST_CASE("a kernel ends behind the probes of its last CTA's prediction, whether the front end acts before or after the SM") {
  for (const std::uint64_t seed : {6, 11}) {
    const Outcome outcome = test::soak("loscache", {"sms=4"}, seed, {3, 4, 1, 80, 6, 100});
    CHECK(outcome.run("sm.phase.predict.ended_by_kernel") == 0);
    CHECK(outcome.run("l2.probes") > 0);
  }
}

}  // namespace
}  // namespace wharf::test

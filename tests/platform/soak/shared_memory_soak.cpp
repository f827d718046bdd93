// Random traffic of warps that are isolated or without a token, at random, through L1s with a shared-memory cache of a few lines. No line
// is in both places, nothing is stale or lost, no deadlock, and the same result in any order of the blocks.

#include <catch2/catch.hpp>

#include "model/base/rng.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

/// Four SMs, two slices; 2 KiB of shared memory are four data rows: eight lines.
const Settings kFew = {"sms=4",
                       "channels=2",
                       "slices_per_channel=1",
                       "watchdog.interval_cycles=40000",
                       "sm.warps=8",
                       "sm.ctas=2",
                       "sm.shared_kib=2",
                       "l1.capacity_kib=1",
                       "l1.shared_memory_cache.use=always",
                       "l1.shared_memory_cache.age_limit=3",
                       "l2.slice_kib=2",
                       "l2.ways=4",
                       "l2.access_cycles=10",
                       "l2.input_queue=10",
                       "dram_link_queue=2"};
const Settings kSmallestQueues = {"sm.lsu_queue=1",
                                  "l1.input_queue=4",
                                  "l1.fill_queue=1",
                                  "l1.miss_queue=1",
                                  "l1.mshr_entries=2",
                                  "l1.mshr_targets=1",
                                  "l2.mshr_entries=1",
                                  "l2.mshr_targets=1",
                                  "l2.miss_queue=2",
                                  "l2.reply_queue=1",
                                  "dram.queue_entries=1",
                                  "dram.return_entries=1",
                                  "network.interface_packets=1"};
const Settings kLocalWriteBack = {"l1.local_stores=write_back", "l1.miss_queue=2"};
const Settings kSectoredUpdate = {"l1.sectored=true", "l2.sectored=true", "l1.store_hit=update"};

/// Marks a warp as isolated, or without a token, or neither, for some hundred cycles.
void mark(const Access& access, AccessHint& hint) {
  Rng random(access.sm * 64u + access.warp, access.issue_cycle / 300);
  const std::uint64_t state = random.below(5);
  hint.isolated = state < 2;
  hint.no_install = state == 2;
}

/// The position of the shared-memory cache.
enum class Place {
  next_to_l1,    // next to the SM's own L1: the two share MSHRs, and lines move between them
  before_homes,  // only isolated loads stop there
};

void check_counts(const Outcome& outcome, Place place) {
  const auto sum = [&](const std::string& metric) { return outcome.run(metric); };
  const std::string cache = "l1.shared_memory_cache.";
  for (const char* happens : {"loads", "hits", "misses", "fills", "evictions", "invalidated"}) {
    CAPTURE(happens);
    CHECK(sum(cache + happens) > 0);
  }
  if (place == Place::before_homes) {
    CHECK(sum("sm.round_trips") == sum("front.load.accesses") + sum("front.texture.accesses"));
    CHECK(sum(cache + "probes") == 0);
    CHECK(sum(cache + "migrations") == 0);
    return;
  }
  CHECK(sum("sm.round_trips") == sum("l1.load.accesses") + sum("l1.texture.accesses"));
  if (!outcome.result.at("run").contains("cluster.requests"))  // if L2 and other L1s answer the same miss
    CHECK(sum("l1.fills") ==
          sum("l1.load.misses") + sum("l1.load.sector_misses") + sum("l1.texture.misses") + sum("l1.texture.sector_misses"));
  CHECK(sum(cache + "probe_hits") > 0);
  CHECK(sum(cache + "migrations") > 0);
}

void soak_isolation(const std::string& configuration, const Settings& settings, std::uint64_t seed, Place place = Place::next_to_l1) {
  CAPTURE(configuration, seed);
  const GpuParams params = machine(configuration, settings);
  TrafficShape shape;
  shape.textures = place == Place::next_to_l1;  // a texture's line has no home (CM-26)
  std::vector<ScriptedKernel> traffic = random_traffic(seed, shape);
  traffic.back().shared_bytes = 256;  // per CTA, so the cache has less
  RunOptions plain = checked();
  plain.seed = seed;
  plain.mark = mark;
  const Outcome outcome = run_apart(params, traffic, plain);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  check_counts(outcome, place);
  RunOptions scrambled = plain;
  scrambled.scramble = true;
  CHECK(run_apart(params, traffic, scrambled).bytes() == outcome.bytes());
  scrambled.ticking = true;
  CHECK(run_apart(params, traffic, scrambled).bytes() == outcome.bytes());
}

TEST_CASE("random isolation on the GPU of ciao loses nothing, and no load is stale") {
  for (const std::uint64_t seed : {1, 2}) soak_isolation("gpus/fermi_15sm", kFew, seed);
  soak_isolation("gpus/fermi_15sm", kFew + Settings{"l1.shared_memory_cache.access_cycles=7", "sm.shared_kib=3"}, 3);
  soak_isolation("gpus/fermi_15sm", kFew + Settings{"l1.fill_free_way=true"}, 4);
}

TEST_CASE("random isolation goes through the smallest queues") {
  soak_isolation("gpus/fermi_15sm", kFew + kSmallestQueues + Settings{"l1.miss_queue=2"}, 1);
  soak_isolation("gpus/80sm_xbar", kFew + kSmallestQueues, 2);
  soak_isolation("gpus/80sm_xbar", kFew + kSmallestQueues + kLocalWriteBack, 3);
}

TEST_CASE("random isolation goes with sectors, banks, and stores that bring lines in") {
  soak_isolation("gpus/80sm_xbar", kFew + kSectoredUpdate, 1);
  soak_isolation("gpus/80sm_xbar", kFew + kSectoredUpdate + Settings{"l1.store_miss=allocate", "l1.banks=2"}, 2);
  soak_isolation("gpus/80sm_xbar", kFew + kSectoredUpdate + Settings{"transaction=sector", "packets.reply_unit=sector", "l1.banks=4"}, 3);
  soak_isolation("gpus/80sm_xbar", kFew + Settings{"l1.store_hit=update", "l1.store_miss=allocate", "l1.banks=2"} + kLocalWriteBack, 4);
}

TEST_CASE("random isolation works with L1s that other SMs read, and with an extended LLC") {
  soak_isolation("remote_sharing", kFew + Settings{"network.mesh.columns=3"}, 1);
  soak_isolation("ata/ata", kFew + Settings{"ata.cluster_size=4", "l1.ways=4"}, 2);
  soak_isolation("morpheus/basic",
                 kFew + Settings{"sms=8", "front_end.eligible_sms=4", "channels=4", "sm.unified_kib=0", "l1.ways=4", "l2.slice_kib=1",
                                 "l2.ways=2", "l2.dram_extra_cycles=20", "morpheus.kernel.rf_warps=2", "morpheus.kernel.l1_warps=1",
                                 "morpheus.kernel.register_file_kib=4", "morpheus.kernel.l1_kib=1"},
                 3);
}

TEST_CASE("random isolation goes before L1s that are homes for several SMs") {
  const Settings quick_phases = {"shared_l1.dynamic.sample_accesses=8", "shared_l1.dynamic.execute_accesses=40"};
  const Settings mesh = {"network.mesh.columns=3"};
  soak_isolation("shared_l1/shared_chunk", kFew + mesh, 1, Place::before_homes);
  soak_isolation("shared_l1/dyn_eb", kFew + mesh + quick_phases, 2, Place::before_homes);
  soak_isolation("dc_l1/sh40_c10_boost", kFew + Settings{"dc_l1.nodes=2", "dc_l1.clusters=1"}, 3, Place::before_homes);
  soak_isolation("dc_l1/cdxbar", kFew + Settings{"dc_l1.nodes=2", "dc_l1.clusters=1"}, 4);
}

TEST_CASE("without the probe a line that the L1 fetches leaves shared memory") {
  const GpuParams params = machine("gpus/fermi_15sm", kFew + Settings{"l1.shared_memory_cache.probe_on_l1_miss=false"});
  RunOptions options = checked();
  options.mark = mark;
  const Outcome outcome = run_apart(params, random_traffic(7), options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("l1.shared_memory_cache.probes") == 0);
  CHECK(outcome.run("l1.shared_memory_cache.hits") > 0);
}

}  // namespace
}  // namespace wharf::test

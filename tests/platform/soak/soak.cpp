// Random traffic through machines whose queues are all as small as possible: no deadlock, no stale data, nothing lost, and the same result
// in any order of the blocks.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

/// Four SMs, two slices, one place in every queue.
const Settings kSmallest = {"sms=4",
                            "channels=2",
                            "slices_per_channel=1",
                            "dram_link_queue=1",
                            "watchdog.interval_cycles=20000",
                            "sm.lsu_queue=1",
                            "sm.loads_in_flight=2",
                            "sm.warps=8",
                            "sm.ctas=2",
                            "l1.capacity_kib=1",
                            "l1.ways=2",
                            "l1.tag_cycles=1",
                            "l1.data_cycles=1",
                            "l1.input_queue=1",
                            "l1.fill_queue=1",
                            "l1.mshr_entries=1",
                            "l1.mshr_targets=1",
                            "network.interface_packets=1",
                            "network.crossbar.buffer_flits=1",
                            "network.crossbar.ejection_flits=1",
                            "network.crossbar.virtual_channels=1",
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
                            "dram.return_entries=1"};
/// Two or three places, for interactions that need more than one.
const Settings kSmall = {"sms=4",
                         "channels=2",
                         "slices_per_channel=1",
                         "dram_link_queue=2",
                         "watchdog.interval_cycles=20000",
                         "sm.lsu_queue=4",
                         "sm.warps=8",
                         "sm.ctas=2",
                         "l1.capacity_kib=1",
                         "l1.ways=4",
                         "l1.tag_cycles=3",
                         "l1.data_cycles=2",
                         "l1.input_queue=3",
                         "l1.fill_queue=2",
                         "l1.mshr_entries=3",
                         "l1.mshr_targets=2",
                         "l1.miss_queue=3",
                         "l1.banks=2",
                         "network.interface_packets=2",
                         "network.crossbar.buffer_flits=2",
                         "network.crossbar.ejection_flits=2",
                         "network.crossbar.virtual_channels=2",
                         "l2.slice_kib=2",
                         "l2.ways=4",
                         "l2.access_cycles=10",
                         "l2.input_queue=10",
                         "l2.mshr_entries=3",
                         "l2.mshr_targets=2",
                         "l2.miss_queue=3",
                         "l2.reply_queue=2",
                         "l2.dram_extra_cycles=5",
                         "dram.queue_entries=4",
                         "dram.return_entries=3"};

void check_conservation(const Outcome& outcome) {
  const auto sum = [&](const char* metric) { return outcome.run(metric); };
  CHECK(sum("sm.round_trips") == sum("l1.load.accesses") + sum("l1.texture.accesses"));
  CHECK(sum("l1.fills") ==
        sum("l1.load.misses") + sum("l1.load.sector_misses") + sum("l1.texture.misses") + sum("l1.texture.sector_misses"));
  const std::uint64_t below = sum("l1.fills") + sum("l1.load.bypasses") + sum("l1.texture.bypasses") + sum("l1.atomics");
  CHECK(sum("nic.sm.replies") == below);
  CHECK(sum("nic.sm.requests") == sum("nic.sm.replies") + sum("nic.l2.acks"));
  CHECK(sum("nic.l2.data_replies") == sum("nic.sm.replies"));
  CHECK(sum("l2.stores") == sum("nic.l2.acks"));
  CHECK(sum("l2.atomics") == sum("l1.atomics"));
  CHECK(sum("l2.accesses") == sum("nic.sm.requests"));
  CHECK(sum("dram.requests") == sum("l2.fills") + sum("l2.writebacks"));
}

void soak(const Settings& settings, const std::vector<std::uint64_t>& seeds) {
  for (const std::uint64_t seed : seeds)
    test::soak("gpus/80sm_xbar", settings, seed, {}, [&](const Outcome& outcome) {
      if (machine("gpus/80sm_xbar", settings).front_end.kernel_end == KernelEnd::drained) check_conservation(outcome);
    });
}

const Settings kOneMiss = {"l1.miss_queue=1"};
const Settings kSectored = {"l1.sectored=true", "l2.sectored=true"};
const Settings kSector = kSectored + Settings{"transaction=sector", "packets.reply_unit=sector"};
const Settings kWriteBack = {"l1.local_stores=write_back"};
const Settings kUpdate = {"l1.store_hit=update"}, kAllocate = {"l1.store_miss=allocate"};  // besides evict and no_allocate of 80sm_xbar
const Settings kFetchAlways = {"l2.write_miss=fetch_always"}, kLazy = {"l2.write_miss=lazy"};

TEST_CASE("the smallest queues carry whole lines under each store policy") {
  soak(kSmallest + kOneMiss, {1, 2, 8});
  soak(kSmallest + kOneMiss + kFetchAlways + kUpdate, {3});
  soak(kSmallest + kOneMiss + kUpdate + kAllocate, {4});
  soak(kSmallest + kWriteBack + Settings{"l1.miss_queue=2"}, {5, 6});
  soak(kSmallest + kWriteBack + Settings{"l1.miss_queue=2"} + kUpdate + kAllocate + kFetchAlways, {7});
}

TEST_CASE("the smallest queues carry sectors of lines under each store policy") {
  soak(kSmallest + kOneMiss + kSectored + kUpdate, {1});
  soak(kSmallest + kOneMiss + kSectored + kUpdate + kAllocate + kLazy, {2});
  soak(kSmallest + kWriteBack + Settings{"l1.miss_queue=2"} + kSectored + kUpdate, {3});
}

TEST_CASE("the smallest queues carry transactions of a sector under each store policy") {
  soak(kSmallest + kOneMiss + kSector + kUpdate, {1});
  soak(kSmallest + kOneMiss + kSector + kUpdate + kAllocate + kLazy, {2});
  soak(kSmallest + kOneMiss + kSector + kUpdate + kAllocate + kFetchAlways, {3});
}

TEST_CASE("small queues carry whole lines under each store policy") {
  soak(kSmall, {1, 2, 8, 9});
  soak(kSmall + kUpdate + kFetchAlways, {3});
  soak(kSmall + kUpdate + kAllocate, {4});
  soak(kSmall + kWriteBack, {5, 6, 10, 11});
  soak(kSmall + kWriteBack + kUpdate + kAllocate + kFetchAlways, {7});
}

TEST_CASE("small queues carry sectors under each store policy") {
  soak(kSmall + kSectored + kUpdate, {1});
  soak(kSmall + kSectored + kUpdate + kAllocate + kLazy, {2});
  soak(kSmall + kSectored + kUpdate + kWriteBack, {3});
  soak(kSmall + kSectored + kUpdate + kAllocate + kLazy + Settings{"l1.byte_masks=true", "l2.byte_masks=true"}, {8, 9});
  soak(kSmall + kSector + kUpdate, {4});
  soak(kSmall + kSector + kUpdate + kAllocate + kLazy, {5, 6, 7});
}

TEST_CASE("traffic goes through clocks of any ratio, refresh, and policies of every family") {
  soak(kSmall + Settings{"clock_mhz.core=333", "clock_mhz.network=1999", "clock_mhz.l2=1333", "clock_mhz.dram=100"}, {1, 2});
  soak(kSmall + Settings{"clock_mhz.network=500", "l2.dram_extra_cycles=100", "dram.refresh.enabled=true", "dram.refresh.tREFI=700"}, {3});
  soak(kSmall + Settings{"sm.warp_scheduler=two_level", "l1.replacement=random", "l2.replacement=tree_plru", "address_map=ipoly",
                         "l1.set_index=xor"},
       {4});
  soak(kSmall + Settings{"sm.warp_scheduler=lrr", "l1.replacement=fifo", "sm.cta_waits_for_stores=true", "sm.lsu_lines_per_cycle=4"}, {5});
  // A set of only protected lines must evict one of them.
  soak(kSmall + kUpdate + kAllocate + Settings{"l1.dirty_protect_percent=90"}, {6});
}

TEST_CASE("queues of one memory instruction for each scheduler carry the traffic of the smallest queues") {
  const Settings subcore = {"sm.lsu.model=subcore", "sm.lsu.subcore_queue=1", "sm.lsu.return_bytes=8"};
  Settings smallest = kSmallest;
  smallest.erase(std::find(smallest.begin(), smallest.end(), "sm.lsu_queue=1"));
  soak(smallest + kOneMiss + subcore, {1, 2});
  soak(smallest + kOneMiss + kSector + kUpdate + subcore + Settings{"sm.collector_units=1"}, {3});
}

TEST_CASE("kernels that end with their CTAs leave nothing behind that the next could trip over") {
  const Settings ends_early = {"front_end.kernel_end=ctas_done", "sm.cta_waits_for_stores=true"};
  soak(kSmallest + kOneMiss + ends_early, {1, 2});
  soak(kSmall + kSector + kUpdate + kAllocate + kLazy + ends_early, {3, 4});
}

/// The settings for another topology: without the crossbar's keys, or without all keys that begin with `without`.
Settings on(Settings settings, const Settings& network, const std::string& without = "network.crossbar.") {
  settings.erase(
      std::remove_if(settings.begin(), settings.end(), [&](const std::string& setting) { return setting.rfind(without, 0) == 0; }),
      settings.end());
  return settings + network;
}

TEST_CASE("the smallest buffers of mesh, ring and butterfly carry the traffic of the smallest queues") {
  const auto smallest = [](const std::string& topology, unsigned channels, const Settings& shape) {
    const std::string keys = "network." + topology + ".";
    return on(kSmallest + kOneMiss, Settings{"network.topology=" + topology, keys + "virtual_channels=" + std::to_string(channels),
                                             keys + "buffer_flits=1", keys + "ejection_flits=1"} +
                                        shape);
  };
  soak(smallest("mesh", 1, {"network.mesh.columns=3"}), {1, 2});
  soak(smallest("mesh", 2, {"network.mesh.columns=2", "network.mesh.slice_nodes=[5, 0]", "network.mesh.hop_cycles=1"}), {3});
  soak(smallest("ring", 2, {}), {4});
  soak(smallest("ring", 2, {"network.ring.bidirectional=false"}), {5});
  soak(smallest("butterfly", 1, {"network.butterfly.radix=3"}), {6, 7});
}

TEST_CASE("a mesh of clocks of any ratio carries sectors and write-backs") {
  const Settings mesh = {"network.topology=mesh", "network.mesh.columns=6", "network.mesh.buffer_flits=2", "network.mesh.iterations=2"};
  soak(on(kSmall + kSector + kUpdate, mesh + Settings{"clock_mhz.network=1999"}), {1});
  soak(on(kSmall + kWriteBack, mesh + Settings{"clock_mhz.network=333"}), {2});
}

TEST_CASE("the shortest queues of the rate-model network carry the traffic of the smallest queues, of lines, masks and sectors") {
  const auto rate = [](unsigned latency) {
    return Settings{"network.topology=rate", "network.rate.queue=1", "network.rate.latency=" + std::to_string(latency),
                    "network.rate.slice.bytes=7", "network.rate.slice.cycles=2"};
  };
  const auto on_rate = [&](const Settings& settings, unsigned latency) { return on(settings, rate(latency), "network."); };
  soak(on_rate(kSmallest + kOneMiss, 1), {1});
  soak(on_rate(kSmallest + kOneMiss, 40) + Settings{"packets.write_mask_bytes=16"}, {2, 3});
  soak(on_rate(kSmall + kSector + kUpdate, 3) + Settings{"clock_mhz.network=1999"}, {4});
  soak(on_rate(kSmall + kWriteBack, 77) + Settings{"network.rate.queue=16"}, {5});
}

TEST_CASE("extra ways of some L2 sets, and banks of partitions, hold the traffic of small queues") {
  const Settings partitions = {"address_map=rotating", "l2.set_index=fold8"};
  soak(kSmall + partitions + Settings{"l2.extra_way_sets=1"}, {1, 2});
}

TEST_CASE("one L1 for all SMs serves their traffic") { soak(kSmall + Settings{"l1.single=true"}, {1, 2, 3}); }

}  // namespace
}  // namespace wharf::test

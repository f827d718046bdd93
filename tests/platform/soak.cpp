// Random traffic through machines whose every queue is as small as it can be: no deadlock, no stale data, nothing lost, and the same
// result in whatever order blocks act.

#include <catch2/catch.hpp>

#include "tests/platform/apart.h"
#include "tests/platform/random_traffic.h"

namespace wharf::test {
namespace {

using Settings = std::vector<std::string>;

/// Four SMs, two slices, one place in every queue.
const Settings kSmallest = {"sms=4", "channels=2", "slices_per_channel=1", "dram_link_queue=1", "watchdog.interval_cycles=20000",
                            "sm.lsu_queue=1", "sm.loads_in_flight=2", "sm.warps=8", "sm.ctas=2",
                            "l1.capacity_kib=1", "l1.ways=2", "l1.tag_cycles=1", "l1.data_cycles=1", "l1.input_queue=1", "l1.fill_queue=1",
                            "l1.mshr_entries=1", "l1.mshr_targets=1",
                            "network.interface_packets=1", "network.crossbar.buffer_flits=1", "network.crossbar.ejection_flits=1",
                            "network.crossbar.virtual_channels=1",
                            "l2.slice_kib=1", "l2.ways=2", "l2.access_cycles=1", "l2.input_queue=1", "l2.mshr_entries=1", "l2.mshr_targets=1",
                            "l2.miss_queue=2", "l2.reply_queue=1", "l2.dram_extra_cycles=1",
                            "dram.queue_entries=1", "dram.return_entries=1"};
/// Two or three places: what only meets where there is more than one.
const Settings kSmall = {"sms=4", "channels=2", "slices_per_channel=1", "dram_link_queue=2", "watchdog.interval_cycles=20000",
                         "sm.lsu_queue=4", "sm.warps=8", "sm.ctas=2",
                         "l1.capacity_kib=1", "l1.ways=4", "l1.tag_cycles=3", "l1.data_cycles=2", "l1.input_queue=3", "l1.fill_queue=2",
                         "l1.mshr_entries=3", "l1.mshr_targets=2", "l1.miss_queue=3", "l1.banks=2",
                         "network.interface_packets=2", "network.crossbar.buffer_flits=2", "network.crossbar.ejection_flits=2",
                         "network.crossbar.virtual_channels=2",
                         "l2.slice_kib=2", "l2.ways=4", "l2.access_cycles=10", "l2.input_queue=10", "l2.mshr_entries=3", "l2.mshr_targets=2",
                         "l2.miss_queue=3", "l2.reply_queue=2", "l2.dram_extra_cycles=5",
                         "dram.queue_entries=4", "dram.return_entries=3"};

Settings operator+(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void check_conservation(const Outcome& outcome) {
  const auto sum = [&](const char* metric) { return outcome.run(metric); };
  CHECK(sum("sm.round_trips") == sum("l1.load.accesses") + sum("l1.texture.accesses"));
  CHECK(sum("l1.fills") == sum("l1.load.misses") + sum("l1.load.sector_misses") + sum("l1.texture.misses") + sum("l1.texture.sector_misses"));
  const std::uint64_t below = sum("l1.fills") + sum("l1.load.bypasses") + sum("l1.texture.bypasses") + sum("l1.atomics");
  CHECK(sum("nic.sm.replies") == below);
  CHECK(sum("nic.sm.requests") == sum("nic.sm.replies") + sum("nic.l2.acks"));
  CHECK(sum("nic.l2.data_replies") == sum("nic.sm.replies"));
  CHECK(sum("l2.stores") == sum("nic.l2.acks"));
  CHECK(sum("l2.atomics") == sum("l1.atomics"));
  CHECK(sum("l2.accesses") == sum("nic.sm.requests"));
  CHECK(sum("dram.requests") == sum("l2.fills") + sum("l2.writebacks"));
}

/// The traffic with everything checked, and again in other orders of the blocks.
void soak(const Settings& settings, const std::vector<std::uint64_t>& seeds) {
  const GpuParams params = machine("gpus/80sm_xbar", settings);
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const std::vector<ScriptedKernel> traffic = random_traffic(seed);
    const Outcome outcome = run_apart(params, traffic, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    check_conservation(outcome);
    RunOptions scrambled = checked();
    scrambled.scramble = true;
    scrambled.seed = seed;
    CHECK(run_apart(params, traffic, scrambled).bytes() == outcome.bytes());
    scrambled.ticking = true;
    CHECK(run_apart(params, traffic, scrambled).bytes() == outcome.bytes());
  }
}

const Settings kLine = {"transaction=line"};
const Settings kSectored = {"l1.sectored=true", "l2.sectored=true", "l1.store_hit=update"};
const Settings kSector = kSectored + Settings{"transaction=sector", "packets.reply_unit=sector"};

}  // namespace
}  // namespace wharf::test

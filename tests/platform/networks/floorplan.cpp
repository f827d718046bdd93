// Slices at different distances from an SM, on whole machines (modern_gpus section 3, MG-13).

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

const std::string kCrossbar = "network.hierarchical_crossbar.";
const Settings kFloorplan = {kCrossbar + "offsets=floorplan", kCrossbar + "offset_spread=8", kCrossbar + "request.gpc.latency=9"};

TEST_CASE("with a floorplan an L2 hit takes as long as before plus the offset of its slice, within the spread") {
  // GPC 0 of four lies at 1/8, groups of eight slices at 1/10, 3/10, ... 9/10: distances from 1/40 to 31/40 with a mean of 0.327. A spread of
  // 8 makes 8 / (30/40) cycles per unit: -3.2 to the nearest group, 4.8 to the farthest. TPC 0 has no offset of its own.
  const Settings slower = {kCrossbar + "request.gpc.latency=9"};
  const GpuParams plain = machine("gpus/hopper_h100", slower), far = machine("gpus/hopper_h100", kFloorplan);
  const auto addresses = plain.addresses();
  std::set<long> offsets;
  for (const unsigned group : {0u, 4u}) {
    Address line = 0x10'0000;  // of a slice in that group of the near half
    while (addresses->locate(line).slice / 8 != group) line += kLineBytes;
    const ScriptedKernel kernel = one_warp({load(line, 1)});
    const auto hit = [&](const GpuParams& params) {
      const Outcome outcome = run_apart(params, {kernel, kernel}, checked());
      INFO(outcome.failure);
      REQUIRE(outcome.end == End::done);
      REQUIRE(outcome.kernel(1, "sm.served_by.l2") == 1);
      return static_cast<long>(outcome.kernel(1, "sm.served_by_cycles.l2"));
    };
    offsets.insert(hit(far) - hit(plain));
  }
  CHECK(offsets == std::set<long>{-3, 5});
}

TEST_CASE("random traffic with a floorplan returns no stale data, in any order of the blocks") {
  const Settings small = {"sms=4",
                          "channels=16",
                          "slices_per_channel=1",
                          "watchdog.interval_cycles=20000",
                          kCrossbar + "gpcs=[2, 2]",
                          kCrossbar + "cpc_sms=0",
                          "l1.capacity_kib=16",
                          "l1.ways=4",
                          "sm.unified_kib=0",
                          "sm.shared_kib=16"};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    soak("gpus/hopper_pcie", small + kFloorplan + Settings{"l2.partitions=1"}, seed);
    soak("gpus/hopper_pcie", small + kFloorplan + Settings{"l2.near_sms=2", "l2.partition_chunk_kib=1", kCrossbar + "coalescer=gpc"}, seed);
  }
}

}  // namespace
}  // namespace wharf::test

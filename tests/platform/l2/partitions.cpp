// An L2 in two partitions on whole machines: latencies, counters, refusals, and random traffic under golden memory (modern_gpus section 2).

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/platform/l2/two_partitions.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

constexpr Cycle kLink = 50;
const Settings kTwo = {"l2.partitions=2", "l2.link.cycles=50"};

/// Both kernels load the line on SM 0. The second hits in L2.
Outcome load_twice(const GpuParams& params, Address address) {
  return run_checked(params, {one_warp({load(address, 1)}), one_warp({load(address, 1)})});
}

double stage_of(const Outcome& outcome, const std::string& served_by, const std::string& stage) {
  const cli::Json& table = outcome.result.at("tables").at("latency_stack");
  const auto& columns = table.at("columns");
  for (const cli::Json& row : table.at("rows"))
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (row[0] == served_by && columns[i] == stage) return row[i].get<double>();
  throw std::logic_error("no stage " + stage);
}

bool has_stage(const Outcome& outcome, const std::string& stage) {
  for (const cli::Json& column : outcome.result.at("tables").at("latency_stack").at("columns"))
    if (column == stage) return true;
  return false;
}

TEST_CASE("a near hit takes as long as in an L2 of one partition, and a far hit the link twice more, in stage partition (MG-11)") {
  const GpuParams two = machine(kMachine, kTwo);
  for (const unsigned partition : {0u, 1u}) {
    CAPTURE(partition);
    const Address address = line_of(two, partition);
    const Outcome one = load_twice(machine(kMachine), address), both = load_twice(two, address);
    const Cycle link = partition == 0 ? 0 : kLink + kLink;  // SM 0 is near partition 0
    CHECK(both.run("sm.served_by_cycles.l2") == one.run("sm.served_by_cycles.l2") + link);
    // The entry splits access_cycles differently before and after the fetch, so the fetch may meet another edge of DRAM's clock.
    const std::uint64_t by_dram = one.run("sm.served_by_cycles.dram") + link;
    CHECK(both.run("sm.served_by_cycles.dram") >= by_dram - 1);
    CHECK(both.run("sm.served_by_cycles.dram") <= by_dram + 1);
    for (const char* stage : {"lsu", "l1", "queueing", "network", "l2"}) CHECK(stage_of(both, "l2", stage) == stage_of(one, "l2", stage));
    CHECK(stage_of(both, "l2", "partition") == link);
    CHECK(stage_of(both, "dram", "partition") == link);
    CHECK(both.run("l2.near") == (partition == 0 ? 2 : 0));
    CHECK(both.run("l2.far") == (partition == 0 ? 0 : 2));
    CHECK(both.run("l2.accesses") == 2);
    CHECK(both.run("l2.link.bytes") == (partition == 0 ? 0 : 2 * (8 + 8 + 128)));
  }
}

TEST_CASE("l2.near_sms divides the SMs between the partitions, half each unless it says so") {
  for (const unsigned near : {0u, 1u, 3u}) {
    const GpuParams params = machine(kMachine, kTwo + Settings{"sms=4", "l2.near_sms=" + std::to_string(near)});
    ScriptedKernel kernel;
    for (unsigned cta = 0; cta < 4; ++cta) kernel.ctas.push_back({{load(line_of(params, 0) + cta * kLineBytes, 1)}});
    const Outcome outcome = run_checked(params, {kernel});
    CHECK(outcome.run("l2.near") == (near == 0 ? 2 : near));
    CHECK(outcome.run("l2.far") == 4 - (near == 0 ? 2 : near));
  }
}

TEST_CASE("an L2 of one partition has neither counters, stage nor slots of partitions, and one of two has them") {
  RunOptions options = checked();
  options.cycle_stack = 1;
  const std::vector<ScriptedKernel> kernels = {one_warp(load_chase(0x10'0000, 4, 8192))};
  const Outcome one = run_checked(machine(kMachine), kernels, options), two = run_checked(machine(kMachine, kTwo), kernels, options);
  for (const char* metric : {"l2.near", "l2.far", "l2.link.requests", "l2.link.busy", "loads.in_partition", "slots.load.in_partition"}) {
    CAPTURE(metric);
    CHECK_FALSE(one.result.at("run").contains(metric));
    CHECK(two.result.at("run").contains(metric));
  }
  CHECK_FALSE(has_stage(one, "partition"));
  CHECK(has_stage(two, "partition"));
  CHECK(two.run("loads.in_partition") == two.run("l2.far") * (kLink + kLink));
}

TEST_CASE("an L2 of two partitions is refused where a block knows only one, with the reason and the remedy") {
  const auto refused = [](const std::string& configuration, const Settings& settings, const char* reason) {
    INFO(configuration);
    CHECK_THROWS_WITH(machine(configuration, Settings{"l2.partitions=2"} + settings), Catch::Contains(reason));
  };
  for (const char* design : {"dc_l1/sh40_c10_boost", "morpheus"}) refused(design, {}, "whose blocks send every request to its home slice");
  refused("loscache", {}, "line_policy: loscache follows lines in a single slice");
  refused(kMachine, {"channels=19", "channels_per_partition=1"}, "19 do not divide into the halves");
  refused(kMachine, {"channels=18"}, "2 does not divide the 9 channels of a half");
  refused(kMachine, {"l2.near_sms=68"}, "near_sms: 68 leaves none of the 68 SMs near partition 1");
  refused(kMachine, {"l2.entry_cycles=120"}, "entry_cycles: 120 takes up all 120 access_cycles");
  refused(kMachine, {"l2.partition_chunk_kib=3"}, "is not a power of two");
  refused(kMachine, {"l2.partition=shared"}, "home_only");
  for (const char* key : {"l2.partition=home_only", "l2.partition_chunk_kib=4", "l2.near_sms=3", "l2.entry_cycles=3", "l2.link.cycles=3"})
    CHECK_THROWS_WITH(machine(kMachine, {key}), Catch::Contains("l2.partitions is 1"));
}

/// Four SMs, two of them near each partition of one slice. Chunks are so small that the hot lines of random traffic are in both.
const Settings kSmallPartitions = {"sms=4",
                                   "channels=2",
                                   "slices_per_channel=1",
                                   "watchdog.interval_cycles=20000",
                                   "l2.partitions=2",
                                   "l2.partition_chunk_kib=1",
                                   "l2.entry_cycles=2"};
const Settings kSmallestLink = {"l2.link.cycles=1", "l2.link.queue=1", "l2.link.bytes_per_clock=1"};

void soak_partitions(const std::string& configuration, const Settings& settings, const std::vector<std::uint64_t>& seeds) {
  for (const std::uint64_t seed : seeds)
    soak(configuration, settings, seed, {}, [](const Outcome& outcome) {
      CHECK(outcome.run("l2.near") > 0);
      CHECK(outcome.run("l2.far") > 0);
      CHECK(outcome.run("l2.near") + outcome.run("l2.far") == outcome.run("l2.accesses"));
      CHECK(outcome.run("l2.link.requests") == outcome.run("l2.far"));
      CHECK(outcome.run("l2.link.responses") == outcome.run("l2.far"));
    });
}

TEST_CASE("random traffic from both partitions returns no stale data, in any order of the blocks, with the smallest queues") {
  soak_partitions("gpus/80sm_xbar", kSmallestL2 + kSmallPartitions + kSmallestLink + Settings{"l2.access_cycles=3"}, {1, 2, 3, 4, 5, 6});
}

TEST_CASE("random traffic from both partitions returns no stale data on each kind of network, in lines and in sectors") {
  const Settings link = {"l2.link.cycles=9", "l2.link.queue=2", "l2.link.bytes_per_clock=24", "l2.slice_kib=2", "l2.ways=4"};
  soak_partitions("gpus/80sm_xbar", kSmallPartitions + link, {7, 8, 9});
  soak_partitions("gpus/28sm_mesh", kSmallPartitions + link, {10, 11});
  soak_partitions("gpus/ampere_68sm", kSmallPartitions + link + Settings{"channels_per_partition=1", "data=bytes"}, {12, 13});
  soak_partitions("gpus/volta_qv100", kSmallPartitions + link + Settings{"clock_mhz.l2=1000"}, {14, 15, 16});
}

}  // namespace
}  // namespace wharf::test

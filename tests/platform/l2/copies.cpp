// An L2 whose halves copy each other's lines, on whole machines: latencies, capacity, refusals, and random traffic under golden memory
// (modern_gpus section 2, `partition: local_copy`).

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/platform/l2/two_partitions.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

const Settings kCopy = {"l2.partitions=2", "l2.link.cycles=50", "l2.partition=local_copy", "l2.entry_cycles=40"};

/// A line of the partition that SM 0 is not near.
Address far_line(const GpuParams& params) { return line_of(params, 1); }

TEST_CASE("under local_copy a far line read again takes a near hit, and home_only's far hit takes the link twice more each time") {
  const GpuParams one = machine(kMachine), copy = machine(kMachine, kCopy);
  const GpuParams home = machine(kMachine, kCopy + Settings{"l2.partition=home_only"});
  const Address address = far_line(copy);
  const ScriptedKernel kernel = one_warp({load(address, 1)});
  const auto cycles = [&](const GpuParams& params, unsigned kernels) {
    return run_checked(params, std::vector<ScriptedKernel>(kernels, kernel)).run("sm.served_by_cycles.l2");
  };
  const std::uint64_t near_hit = cycles(one, 2);
  CHECK(cycles(copy, 2) == near_hit);
  CHECK(cycles(copy, 3) == near_hit + near_hit);
  CHECK(cycles(home, 3) == 2 * (near_hit + 50 + 50));
  CHECK(cycles(machine(kMachine, kCopy + Settings{"l2.partition_coherence=expire"}), 3) == 2 * (near_hit + 50 + 50));
}

TEST_CASE("on hopper_pcie a load of the far half takes 414 cycles a hop the first time, as published, and 258 again (MG-8, MG-11)") {
  const GpuParams params = machine("gpus/hopper_pcie");
  const Address address = far_line(params);
  ScriptedKernel of_the_other_half;  // the last SM brings the line into its home
  for (unsigned sm = 0; sm < params.sms; ++sm)
    of_the_other_half.ctas.push_back({{sm + 1 == params.sms ? load(address, 1) : compute(Unit::alu, 1)}});
  const ScriptedKernel one = one_warp({load(address, 1)});
  RunOptions options = checked();
  options.cycle_stack = 1;
  const Outcome outcome = run_checked(params, {of_the_other_half, one, one}, options);
  CHECK(outcome.kernel(0, "sm.served_by.dram") == 1);
  CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == (258 - 4) + 78 + 78);  // a hop takes 4 cycles beside the load
  CHECK(outcome.kernel(2, "sm.served_by_cycles.l2") == 258 - 4);
  CHECK(outcome.kernel(2, "l2.copy.hits") == 1);
  CHECK(outcome.run("loads.in_partition") == 78 + 78);  // of the three loads, the first far one
}

TEST_CASE("l2.copies is the mean number of copies at the samples, one every 10,000 cycles") {
  const GpuParams params = machine(kMachine, kCopy);
  ScriptedKernel kernel = one_warp({load(far_line(params), 1)});
  for (unsigned i = 0; i < 6'000; ++i) kernel.ctas[0][0].push_back(compute(Unit::alu, 1, 1));
  const Outcome outcome = run_checked(params, {kernel});
  CHECK(outcome.run("l2_copies.samples") == outcome.run("cycles") / 10'000);
  CHECK(outcome.run("l2_copies.samples") >= 2);
  CHECK(outcome.ratio("l2.copies") == 1.0);
  CHECK_FALSE(run_checked(machine(kMachine), {kernel}).result["run"].contains("l2.copies"));
}

/// Four SMs read `kib` KiB of consecutive lines, all of them twice, on two slices of 64 KiB. Returns the lines read from DRAM.
std::uint64_t lines_from_dram(const std::string& partition, unsigned kib) {
  const GpuParams params = machine("gpus/80sm_xbar", {"sms=4", "channels=2", "slices_per_channel=1", "l2.slice_kib=64", "l2.partitions=2",
                                                      "l2.partition_chunk_kib=4", "l2.entry_cycles=10", "l2.partition=" + partition});
  ScriptedKernel kernel;
  for (unsigned cta = 0; cta < 4; ++cta) {
    Instructions reads;
    for (unsigned line = 0; line < kib * 1024 / kLineBytes; ++line) reads.push_back(load(0x10'0000 + line * kLineBytes, 1));
    kernel.ctas.push_back({reads});
  }
  return run_checked(params, {kernel, kernel}).run("l2.fills");
}

TEST_CASE("local_copy gives each half room for its own lines and those of the other half together, home_only both halves' room once") {
  CHECK(lines_from_dram("home_only", 48) == 48 * 8);
  CHECK(lines_from_dram("local_copy", 48) == 48 * 8);  // 24 KiB of each half, twice
  CHECK(lines_from_dram("home_only", 80) == 80 * 8);
  CHECK(lines_from_dram("local_copy", 80) > 80 * 8);  // 80 KiB in 64
}

TEST_CASE("copies are refused where the model does not know them, with the reason and the remedy") {
  const auto refused = [](const Settings& settings, const char* reason) {
    CHECK_THROWS_WITH(machine(kMachine, kCopy + settings), Catch::Contains(reason));
  };
  refused({"l2.entry_cycles=2"}, "l2.entry_cycles is 2, which leaves no cycle to look up a copy (partition: local_copy); choose 3 or more");
  refused({"l2.copy_bytes=48"}, "l2.copy_bytes is not a power of two; choose 32, 64 or 128");
  refused({"l2.line_times=on"}, "l2.line_times are those of lines in one slice, but partition: local_copy keeps a line in two");
  refused({"l2.copy_bytes=32", "transaction=line", "l2.sectored=false"}, "l2.sectored is false: whole lines are copied");
  for (const char* key : {"l2.copy_bytes=32", "l2.partition_coherence=expire"})
    CHECK_THROWS_WITH(machine(kMachine, {"l2.partitions=2", key}), Catch::Contains("l2.partition is not local_copy"));
}

/// Four SMs, two of them near each partition of one slice; chunks so small that the hot lines of random traffic lie in both.
const Settings kSmallHalves = {"sms=4",
                               "channels=2",
                               "slices_per_channel=1",
                               "watchdog.interval_cycles=20000",
                               "l2.partitions=2",
                               "l2.partition=local_copy",
                               "l2.partition_chunk_kib=1",
                               "l2.entry_cycles=3"};
const Settings kSmallestCopyLink = {"l2.link.cycles=1", "l2.link.queue=1", "l2.link.bytes_per_clock=1", "l2.access_cycles=4"};
const Settings kSmallLink = {"l2.link.cycles=9", "l2.link.queue=2", "l2.link.bytes_per_clock=24", "l2.slice_kib=2", "l2.ways=4"};
const Settings kExpire = {"l2.partition_coherence=expire"};

void soak_copies(const std::string& configuration, const Settings& settings, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed)
    soak(configuration, kSmallHalves + settings, seed, {}, [](const Outcome& outcome) { CHECK(outcome.run("l2.copy.misses") > 0); });
}

TEST_CASE("random traffic with copies returns no stale data, in any order of the blocks, with the smallest queues") {
  soak_copies("gpus/80sm_xbar", kSmallestL2 + kSmallestCopyLink, 1, 5);
}

TEST_CASE("random traffic with copies that expire returns no stale data, in any order of the blocks, with the smallest queues") {
  soak_copies("gpus/80sm_xbar", kSmallestL2 + kSmallestCopyLink + kExpire, 6, 8);
}

TEST_CASE("random traffic with copies returns no stale data on each kind of network, in lines and in sectors") {
  soak_copies("gpus/80sm_xbar", kSmallLink, 10, 13);
  soak_copies("gpus/28sm_mesh", kSmallLink, 14, 15);
  soak_copies("gpus/ampere_68sm", kSmallLink + Settings{"channels_per_partition=1", "data=bytes"}, 16, 17);
  soak_copies("gpus/volta_qv100", kSmallLink + Settings{"clock_mhz.l2=1000"}, 18, 20);
  soak_copies("gpus/volta_qv100", kSmallLink + Settings{"l2.copy_bytes=128"}, 21, 23);
  soak_copies("gpus/volta_qv100", kSmallLink + kExpire, 24, 26);
}

TEST_CASE("random traffic with copies returns no stale data where a request names the sectors of a line, and stores leave them partial") {
  const Settings small = {"network.hierarchical_crossbar.gpcs=[2, 2]",
                          "network.hierarchical_crossbar.cpc_sms=0",
                          "l2.near_sms=2",
                          "l1.capacity_kib=16",
                          "l1.ways=4",
                          "sm.unified_kib=0",
                          "sm.shared_kib=16",
                          "l2.access_cycles=10"};
  soak_copies("gpus/hopper_pcie", small + kSmallLink, 27, 29);
  soak_copies("gpus/hopper_pcie", small + kSmallLink + kExpire, 30, 31);
}

}  // namespace
}  // namespace wharf::test

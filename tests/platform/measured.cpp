// Metrics of common section 12 and ata section 12 on runs small enough to calculate by hand.

#include <catch2/catch.hpp>

#include "tests/platform/machines/run_checked.h"

namespace wharf::test {
namespace {

double of_kernel(const Outcome& outcome, std::size_t index, const char* metric) {
  return outcome.result.at("kernels").at(index).at(metric).get<double>();
}

TEST_CASE("l1.latency counts a miss as a hit, and l1.latency_full with the time below") {
  // A miss that hits in L2, 220 cycles, and then a hit, 32.
  const Instructions twice = {load(kLine, 1), compute(Unit::alu, 2, 1), load(kLine, 3, 2)};
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"), {one_warp({load(kLine, 1)}), one_warp(twice)});
  CHECK(of_kernel(outcome, 1, "l1.latency") == (32 + 32) / 2.0);
  CHECK(of_kernel(outcome, 1, "l1.latency_full") == (220 + 32) / 2.0);
}

TEST_CASE("the latency of a load of several lines goes from the first acceptance to the last completion") {
  // Two lines, accepted one after the other.
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"),
                                      {one_warp({load(kLine, 1, kNoRegister, 3, 256)}), one_warp({load(kLine, 1, kNoRegister, 3, 256)})});
  CHECK(of_kernel(outcome, 1, "l1.latency") == 33.0);
  CHECK(of_kernel(outcome, 1, "l1.latency_full") == 221.0);
}

TEST_CASE("lines in flight are those that an SM waits for, on average over SMs and cycles, and hits are none") {
  // Two misses at once, and then the same lines again from the L1.
  const Outcome missing = run_checked(machine("gpus/turing_30sm"), {one_warp({load(kLine, 1, kNoRegister, 3, 256)})});
  const double waited = static_cast<double>(missing.run("sm.round_trip_sum"));
  CHECK(missing.run("l1.load.misses") == 2);
  CHECK(missing.ratio("lines_in_flight") == waited / (30.0 * static_cast<double>(missing.run("run.core_cycles"))));

  const Instructions again = {load(kLine, 1, kNoRegister, 3, 256), compute(Unit::alu, 2, 1), load(kLine, 3, 2, 3, 256)};
  const Outcome hitting = run_checked(machine("gpus/turing_30sm"), {one_warp(again)});
  CHECK(hitting.run("l1.load.hits") == 2);
  CHECK(hitting.ratio("lines_in_flight") == waited / (30.0 * static_cast<double>(hitting.run("run.core_cycles"))));
}

TEST_CASE("slices are balanced where each has as many accesses, and not where one has all") {
  const GpuParams params = machine("gpus/turing_30sm");
  const Outcome one = run_checked(params, {one_warp({load(kLine, 1)})});
  CHECK(one.ratio("l2.slice_balance") == 1.0 / params.slices());
}

TEST_CASE("a slice is in use in the cycles in which it takes an access") {
  GpuParams params = machine("gpus/turing_30sm");
  params.clock_mhz.l2 = params.clock_mhz.core / 2;
  const Outcome one = run_checked(params, {one_warp({load(kLine, 1), load(kLine + 0x1'0000, 2)})});
  const double l2_cycles = static_cast<double>(one.run("run.core_cycles")) * params.clock_mhz.l2 / params.clock_mhz.core;
  CHECK(one.ratio("l2.utilisation") == Approx(2 / (l2_cycles * params.slices())));
}

TEST_CASE("hit rates count sectors, those that the L1 had and those that another L1 had") {
  // Sector 0 misses; then sectors 0 to 3 are read, of which one is present.
  const Outcome outcome =
      run_checked(machine("gpus/turing_30sm"), {one_warp({load(kLine, 1), compute(Unit::alu, 2, 1), load(kLine, 3, 2, kAllLanes)})});
  CHECK(outcome.ratio("l1.hit_rate_local") == 1.0 / 5);
  CHECK(outcome.ratio("l1.hit_rate_remote") == 0.0);
}

TEST_CASE("in a shared organisation hits at another home count as remote") {
  // 28 lines whose homes are different SMs, by the bits above the 32 sets. SM 0 reads them twice; the second reads hit.
  std::vector<ScriptedKernel> kernels(1);
  Instructions twice;
  for (int round = 0; round < 2; ++round)
    for (unsigned line = 0; line < 28; ++line) twice.push_back(load(kLine + line * 32 * kLineBytes, 1, 1));
  kernels[0].ctas = {{twice}};
  const Outcome outcome = run_checked(machine("shared_l1/shared"), kernels);
  CHECK(outcome.run("sm.sectors.loaded") == 56);
  CHECK(outcome.run("shared_l1.remote_reads") > 2 * 20);
  CHECK(2 * outcome.run("sm.sectors.own_l1") == outcome.run("shared_l1.local"));
  CHECK(2 * outcome.run("sm.sectors.other_l1") == outcome.run("shared_l1.remote_reads"));
}

TEST_CASE("inter-core locality is the share of misses whose sector another L1 has (ATA-O32)") {
  // SM 0 reads sector 0. Then SM 1 reads sector 0, which another L1 has; sector 1, which none has; and another line.
  ScriptedKernel kernel;
  Instructions later(60, compute(Unit::sfu, 5, 5));
  for (const Address address : {kLine, kLine + 32, kLine + 0x4000}) later.push_back(load(address, 6, 5));
  kernel.ctas = {{{load(kLine, 1)}}, {later}};
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"), {kernel});
  CHECK(outcome.ratio("inter_core_locality") == 1.0 / 4);
}

// SL-37, DC-29
TEST_CASE("lines in two L1s or more are counted at each sample") {
  // 3 SMs keep a line, and one of them another line, for 25,000 cycles: two samples.
  ScriptedKernel kernel;
  Instructions waits(10, load(kLine, 1));
  for (int i = 0; i < 1600; ++i) waits.push_back(compute(Unit::sfu, 5, 5));
  kernel.ctas = {{waits}, {waits}, {waits}};
  kernel.ctas[2][0].push_back(compute(Unit::sfu, 5, 5));
  kernel.ctas[2][0].insert(kernel.ctas[2][0].begin(), load(kLine + 0x4000, 2));
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"), {kernel});
  const auto samples = static_cast<double>(outcome.run("cycles") / 10'000);
  REQUIRE(samples >= 2);
  CHECK(outcome.run("directory.samples") == samples);
  CHECK(outcome.ratio("replicated_lines") == 1.0);
  CHECK(outcome.ratio("replicated_share") == 1.0 / 2);
  CHECK(outcome.ratio("replicas") == 4.0 / 2);
  CHECK(outcome.ratio("replicas_minus_1") == 4.0 / 2 - 1);
  const cli::Json& copies = outcome.result.at("tables").at("histograms").at("directory.copies");
  CHECK(copies.at("max") == 3);
}

TEST_CASE("the data port of an L1 is used once an access, and the busiest counts") {
  ScriptedKernel kernel;
  kernel.ctas = {{{load(kLine, 1), load(kLine, 2, 1), store(kLine, 2), load(kLine, 3, 2)}}, {{load(kLine, 1)}}};
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"), {kernel});
  CHECK(outcome.ratio("l1.data_port_utilisation_max") == Approx(4.0 / static_cast<double>(outcome.run("cycles"))));
}

// DC-30
TEST_CASE("the reply link to the SM that hears most is the busiest") {
  // SM 0 receives the four sectors of a line, SM 1 one sector: one flit each. A store's acknowledgement is one more.
  ScriptedKernel kernel;
  kernel.ctas = {{{load(kLine, 1, kNoRegister, kAllLanes), store(kLine, 1)}}, {{load(kLine + 0x4000, 1)}}};
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"), {kernel});
  CHECK(outcome.ratio("net.reply_link_utilisation_max") == Approx(5.0 / static_cast<double>(outcome.run("cycles"))));
  // To L2: two reads and a sector's store. From L2: 5 sectors and an acknowledgement. 40 B each.
  CHECK(outcome.ratio("net.l2_bytes_per_cycle") == Approx(40.0 * (3 + 6) / static_cast<double>(outcome.run("cycles"))));
}

TEST_CASE("what L2 serves and is asked for is counted in sectors") {
  const Instructions loads = {load(kLine, 1, kNoRegister, kAllLanes), load(kLine + 0x4000, 1)};
  const Outcome outcome = run_checked(machine("gpus/turing_30sm"), {one_warp(loads)});
  const double time_ns = outcome.ratio("time_ns");
  CHECK(outcome.ratio("llc.served_bytes_per_ns") == Approx(5 * 32 / time_ns));
  CHECK(outcome.ratio("l2.sector_demand") == 1000.0 * 5 / 33);
}

TEST_CASE("accesses to L1 are counted by lines, loads and stores, per thousand instructions of threads") {
  // 32 lanes in one line, a lane in another, a store to the first, 2 lanes in two lines; an instruction that accesses nothing.
  const Instructions program = {load(kLine, 1, kNoRegister, kAllLanes), load(kLine + 0x4000, 2), store(kLine, 1),
                                load(kLine + 0x8000, 3, kNoRegister, 0b11, 128), compute(Unit::sfu, 5, 5)};
  const double lanes = run_checked(machine("gpus/fermi_15sm"), {one_warp({compute(Unit::sfu, 5, 5)})}).ratio("thread_instructions");
  const Outcome outcome = run_checked(machine("gpus/fermi_15sm"), {one_warp(program)});
  CHECK(outcome.ratio("l1.apki") == 1000.0 * 5 / (32 + 1 + 1 + 2 + lanes));
}

TEST_CASE("shared memory is in use while the CTAs that have it run") {
  ScriptedKernel with = one_warp(Instructions(100, compute(Unit::sfu, 5, 5)));
  with.shared_bytes = 16 * 1024;
  const GpuParams params = machine("gpus/turing_30sm", {"front_end.kernel_launch_cycles=500"});
  const Outcome outcome = run_checked(params, {with});
  // Not during the launch of the kernel.
  const auto cycles = static_cast<double>(outcome.run("cycles"));
  CHECK(outcome.run("front_end.shared_byte_cycles") == (outcome.run("cycles") - 500) * 16 * 1024);
  CHECK(outcome.ratio("smem.utilisation") == Approx((cycles - 500) / cycles * 16 / (64 * 30)));
}

TEST_CASE("contention counts the turns that probes of other SMs wait for") {
  // SMs 0 and 1 miss in the same cycle. Their probes share only the ring, and never wait.
  ScriptedKernel apart;
  apart.ctas = {{{load(kLine, 1)}}, {{load(kLine + 0x4000, 1)}}};
  CHECK(run_checked(machine("ata/remote_sharing"), {apart}).ratio("l1.contention") == 0.0);
  // Two lines of one load: the second probe is sent in the cycle after the first, and so are all its later steps.
  CHECK(run_checked(machine("ata/remote_sharing"), {one_warp({load(kLine, 1, kNoRegister, 3, 256)})}).ratio("l1.contention") == 0.0);
}

TEST_CASE("nine SMs that read a line of one home at once wait 0 to 8 cycles for it") {
  ScriptedKernel kernel;
  Instructions late(60, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  kernel.ctas.resize(9, Warps{late});
  kernel.ctas.push_back({{load(kLine, 1)}});  // loads the line there
  const Outcome outcome = run_checked(machine("ata/decoupled"), {kernel});
  CHECK(outcome.run("l1.load.hits") == 9);
  CHECK(outcome.ratio("l1.contention") == Approx((0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8) / 10.0));
  CHECK(outcome.ratio("l1.hit_rate_local") + outcome.ratio("l1.hit_rate_remote") == Approx(9.0 / 10));
}

}  // namespace
}  // namespace wharf::test

// Reads of several SMs that share a request to L2, on whole machines (modern_gpus section 3, MG-14).

#include <catch2/catch.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

Settings coalescer(const std::string& at) { return {"network.hierarchical_crossbar.coalescer=" + at}; }

Outcome run(const GpuParams& params, const std::vector<ScriptedKernel>& kernels) {
  RunOptions options = checked();
  options.cycle_stack = 1;
  const Outcome outcome = run_apart(params, kernels, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

/// One load of kLine by each of the first SMs.
ScriptedKernel readers(unsigned sms) {
  ScriptedKernel kernel;
  for (unsigned sm = 0; sm < sms; ++sm) kernel.ctas.push_back({{load(kLine, 1, kNoRegister, kAllLanes)}});
  return kernel;
}

TEST_CASE("two SMs of a TPC that read a line in the same cycle read L2 once, and wait no longer than if both read it") {
  const Cycle tpc = 3, gpc = 5, slice = 8, far_hit = 153 + 74 + 74;
  // The bytes of the first reply, 136, occupy a slice's link of 64 B per cycle for two cycles, and a TPC's of 128 B for one.
  for (const auto& [name, later, merged] : {std::tuple{"none", 2u, Cycle{0}},
                                            {"tpc", 0u, tpc + gpc + slice + far_hit + slice + gpc},
                                            {"gpc", 1u, gpc + slice + far_hit + slice}}) {
    const std::string at = name;
    INFO(at);
    const Outcome outcome = run(machine("gpus/ampere_a100", coalescer(at)), {readers(1), readers(1), readers(2)});
    const bool merges = at != "none";
    CHECK(outcome.kernel(2, "l2.loads") == (merges ? 1 : 2));
    CHECK(outcome.kernel(2, "nic.sm.replies") == 2);
    CHECK(outcome.kernel(2, "sm.served_by.l2") == 2);
    const std::uint64_t alone = outcome.kernel(1, "sm.served_by_cycles.l2"), both = outcome.kernel(2, "sm.served_by_cycles.l2");
    CHECK(both == 2 * alone + later);
    if (!merges) continue;
    CHECK(outcome.run("coalescer.lookups") == 1 + 1 + 2);
    CHECK(outcome.run("coalescer.merged") == 1);
    CHECK(outcome.run("coalescer.full") == 0);
    CHECK(outcome.run("loads.in_merged") == merged);
  }
}

TEST_CASE("an SM whose reads join others gets its credits for the slice back with the copies") {
  // Four sectors: each SM has one line of a slice outstanding, and would send no second one if a copy kept its credits.
  const Settings few = {"network.hierarchical_crossbar.sm_slice_credits=4"};
  ScriptedKernel kernel;
  for (unsigned sm = 0; sm < 2; ++sm) {
    Instructions reads;
    for (unsigned i = 0; i < 6; ++i) reads.push_back(load(kLine + i * 0x100000, static_cast<RegisterId>(1 + i), kNoRegister, kAllLanes));
    kernel.ctas.push_back({reads});
  }
  const Outcome outcome = run(machine("gpus/ampere_a100", coalescer("gpc") + few), {kernel, kernel});
  CHECK(outcome.run("coalescer.merged") > 0);
  CHECK(outcome.run("nic.sm.replies") == 2 * 2 * 6);
}

/// Four SMs of one GPC on two slices.
const Settings kSmall = {"sms=4",
                         "channels=2",
                         "slices_per_channel=1",
                         "watchdog.interval_cycles=20000",
                         "network.hierarchical_crossbar.gpcs=[4]",
                         "network.hierarchical_crossbar.cpc_sms=4",
                         "l1.capacity_kib=16",
                         "l1.ways=4",
                         "sm.unified_kib=0",
                         "sm.shared_kib=16",
                         "front_end.kernel_launch_cycles=1"};
const Settings kWhole = {"l2.partitions=1"};
const Settings kHalves = {"l2.near_sms=2", "l2.partition_chunk_kib=1"};
void soak_coalescer(const std::string& at, const Settings& settings, std::uint64_t first, std::uint64_t last) {
  std::uint64_t merged = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed)
    soak("gpus/hopper_pcie", kSmall + coalescer(at) + settings, seed, kFewLines, [&](const Outcome& outcome) {
      merged += outcome.run("coalescer.merged");
      CHECK(outcome.run("nic.sm.replies") == outcome.run("nic.l2.data_replies") + outcome.run("coalescer.merged"));
    });
  CHECK(merged > 0);
}

TEST_CASE("random traffic whose reads join each other returns no stale data, at each level, in any order of the blocks") {
  for (const char* at : {"tpc", "cpc", "gpc"}) {
    soak_coalescer(at, kWhole, 1, 4);
    soak_coalescer(at, kHalves, 5, 8);
  }
}

TEST_CASE("a coalescer at groups of SMs that do not exist is refused with the remedy, as are its sizes without one") {
  CHECK_THROWS_WITH(machine("gpus/ampere_a100", coalescer("cpc")),
                    Catch::Contains("coalescer is cpc, but cpc_sms is 0; choose gpc, or the number of SMs of such a group"));
  for (const char* key : {"coalescer_entries=8", "coalescer_merges=2"})
    CHECK_THROWS_WITH(machine("gpus/ampere_a100", {std::string("network.hierarchical_crossbar.") + key}),
                      Catch::Contains("coalescer is none"));
}

}  // namespace
}  // namespace wharf::test

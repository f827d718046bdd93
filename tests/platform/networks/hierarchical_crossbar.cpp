// Machines with a hierarchical crossbar: the bandwidth of an SM, a CPC and a GPC, and the counts of their links (modern_gpus section 3).

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "model/network/hierarchical/hierarchical_params.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

using Approx = Catch::Detail::Approx;

constexpr unsigned kWarps = 32;

/// `sms` CTAs, one per SM, each of 32 warps that read or write `lines` lines of their own.
ScriptedKernel streams(unsigned sms, unsigned lines, bool writes) {
  ScriptedKernel kernel;
  kernel.warps_per_cta = kWarps;
  for (unsigned cta = 0; cta < sms; ++cta) {
    Warps warps;
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      Instructions instructions;
      for (unsigned i = 0; i < lines; ++i) {
        const Address line = kLine + kLineBytes * ((cta * kWarps + warp) * Address{lines} + i);
        instructions.push_back(writes ? store(line, kNoRegister, kAllLanes)
                                      : load(line, static_cast<RegisterId>(1 + i), kNoRegister, kAllLanes));
      }
      warps.push_back(instructions);
    }
    kernel.ctas.push_back(warps);
  }
  return kernel;
}

/// Data bytes per cycle between the first `sms` SMs and L2, without launch and latency.
double moved(const char* name, unsigned sms, bool writes) {
  constexpr unsigned kLines = 16;
  const GpuParams params = machine(name);
  const Outcome outcome =
      run_apart(params, {streams(sms, kLines, writes), streams(sms, kLines, writes), streams(sms, kLines / 2, writes)}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  const double bytes = double{kLineBytes} * sms * kWarps * kLines / 2;
  return bytes / static_cast<double>(outcome.kernel(1, "cycles") - outcome.kernel(2, "cycles"));
}

// MG-8
TEST_CASE("on hopper_h100 an SM, a CPC and a GPC write, and an SM and a GPC read, as many bytes per cycle as measured, within 5 %") {
  CHECK(moved("gpus/hopper_h100", 1, true) == Approx(31.1).epsilon(0.05));
  CHECK(moved("gpus/hopper_h100", 6, true) == Approx(130).epsilon(0.05));
  CHECK(moved("gpus/hopper_h100", 18, true) == Approx(390).epsilon(0.05));
  CHECK(moved("gpus/hopper_h100", 1, false) == Approx(84.5).epsilon(0.05));
  CHECK(moved("gpus/hopper_h100", 18, false) == Approx(541).epsilon(0.05));
}

TEST_CASE("the GPCs of a machine have all of its SMs, and on ampere_a100 the first four have 62") {
  for (const char* name : {"gpus/ampere_a100", "gpus/hopper_h100", "gpus/hopper_pcie", "gpus/hopper_h200", "gpus/blackwell_b200"}) {
    INFO(name);
    const GpuParams params = machine(name);
    const std::vector<std::uint32_t>& gpcs = params.network.of<network::HierarchicalParams>().gpcs;
    CHECK(std::accumulate(gpcs.begin(), gpcs.end(), 0u) == params.sms);
    if (params.sms == 108) CHECK(std::accumulate(gpcs.begin(), gpcs.begin() + 4, 0u) == 62);
  }
}

TEST_CASE("a hierarchical crossbar counts the flits of each tier in the width of its links, and the busiest reply link to an SM") {
  // SM 0 reads and writes the four sectors of a line, SM 1 reads one. A packet has a header of 8 B and the data: 136 B for a line.
  ScriptedKernel kernel;
  kernel.ctas = {{{load(kLine, 1, kNoRegister, kAllLanes), store(kLine, 1, kAllLanes)}}, {{load(kLine + 0x4000, 1)}}};
  const Outcome outcome = run_apart(machine("gpus/ampere_a100"), {kernel}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  const auto flits = [&](const std::string& tier) { return outcome.run("net." + tier + ".flits"); };
  CHECK(outcome.run("net.request.bytes") == 8 + 8 + 136);
  CHECK(flits("request.sm") == 1 + 1 + 5);   // 32 B
  CHECK(flits("request.tpc") == 1 + 1 + 3);  // 64 B
  CHECK(flits("request.gpc") == 1 + 1 + 1);  // 256 B
  CHECK(flits("request.slice") == 1 + 1 + 5);
  CHECK(outcome.run("net.reply.bytes") == 136 + 40 + 8);
  CHECK(flits("reply.slice") == 3 + 1 + 1);  // 64 B
  CHECK(flits("reply.sm") == 3 + 1 + 1);
  // (136 + 8) / 64, in whole cycles.
  CHECK(outcome.ratio("net.reply_link_utilisation_max") == Approx(2.0 / outcome.ratio("net.cycles")));
}

TEST_CASE("an SM whose credits for a slice are in use sends the next request when a reply arrives") {
  // Five sectors of one slice in the partition near SM 0, which has their lines; four have credits.
  const auto read = [](unsigned sectors) {
    Instructions instructions;
    for (unsigned i = 0; i < sectors; ++i) instructions.push_back(load(kLine + 0x2000 + i * 32, static_cast<RegisterId>(1 + i)));
    return one_warp(instructions);
  };
  const auto refused = [&](const char* credits) {
    const Outcome outcome =
        run_apart(machine("gpus/ampere_a100", {std::string("network.hierarchical_crossbar.sm_slice_credits=") + credits}),
                  {read(5), read(5)}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome.kernel(1, "net.request.refused.credit");
  };
  CHECK(refused("5") == 0);
  const Cycle round_trip = 18 + 153 + 18, behind_first = 4;  // requests of one warp are a cycle apart
  CHECK(refused("4") == round_trip - behind_first);
}

}  // namespace
}  // namespace wharf::test

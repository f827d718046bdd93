// Energy of runs small enough to calculate by hand, and the sums that hold for every run (common section 14).

#include <catch2/catch.hpp>
#include <filesystem>

#include "model/base/energy/energy_model.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/configuration.h"
#include "tests/platform/machines/run_checked.h"

namespace wharf::test {
namespace {

Outcome run_named(const std::string& configuration, const std::string& stimulus, const std::vector<std::string>& settings = {}) {
  const Outcome outcome = run_apart(machine(configuration, settings), [&] { return cli::open_named_stimulus(stimulus, 1); });
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

const std::vector<std::string> kStructures(energy::kStructureNames.begin(), energy::kStructureNames.end());

TEST_CASE("the energy of one load is the sum of what it did and of what leaked meanwhile") {
  const Outcome outcome = run_checked(machine("gpus/80sm_xbar", {"energy.noc.dyn_scale=1"}), {one_warp({load(kLine, 1)})});
  const double ns = outcome.ratio("cycles") / 1.4, watt = ns;  // one watt for the run's time, in nJ
  REQUIRE(ns > 0);
  // One lookup of the L1, one fill of a line of 128 B. A request of one flit, a reply of five. L2 misses, is filled, is read.
  CHECK(outcome.run("sm.warp_instructions") == 1);
  CHECK(outcome.ratio("energy.core") == Approx(.280 + 80 * .7 * watt));
  CHECK(outcome.ratio("energy.l1") == Approx(.030 + 1.5 + 80 * .005 * watt));
  CHECK(outcome.ratio("energy.smem") == Approx(80 * 3 * .005 * watt));
  CHECK(outcome.ratio("energy.noc_dyn") == Approx((1 + 5) * (.006 + .00025 * 112 + 2 * .0064 * 12.3)));
  CHECK(outcome.ratio("energy.noc_static") == Approx(.7 * watt).epsilon(0.0005));
  CHECK(outcome.ratio("energy.l2_dyn") == Approx(.030 + .900 + .800));
  CHECK(outcome.ratio("energy.l2_leak") == Approx(32 * 1024 * .146e-3 * 1.03 * watt));
  CHECK(outcome.ratio("energy.dram") == Approx(128 * .112));
  CHECK(outcome.ratio("energy.extras") == 0);
  CHECK(outcome.ratio("energy.constant") == Approx(25 * watt));
  double sum = 0;
  for (const std::string& structure : kStructures) {
    sum += outcome.ratio("energy." + structure);
    CHECK(outcome.ratio("power." + structure) == Approx(outcome.ratio("energy." + structure) / ns));
  }
  CHECK(outcome.ratio("energy.total") == Approx(sum));
}

TEST_CASE("shared memory costs by the access, and an atomic both reads and writes L2") {
  const Outcome outcome = run_checked(machine("gpus/80sm_xbar"), {one_warp({shared(0, 1), shared(4, 2, 1)}), one_warp({atomic(kLine, 1)})});
  const auto of = [&](std::size_t kernel, const char* metric) { return outcome.result["kernels"][kernel][metric].get<double>(); };
  const double leakage = 80 * 3 * .005 / 1.4;
  CHECK(of(0, "energy.smem") - leakage * of(0, "cycles") == Approx(2 * 1.5));
  CHECK(of(1, "energy.smem") - leakage * of(1, "cycles") == Approx(0).margin(1e-6));
  CHECK(of(1, "energy.l2_dyn") == Approx(.030 + .900 + .800 + .900));
}

TEST_CASE("energies of the kernels sum to that of the run, and so do those over time") {
  const Outcome outcome = run_named("dc_l1", "bfs@tiny");
  REQUIRE(outcome.result["kernels"].size() > 1);
  for (const std::string& structure : kStructures) {
    INFO(structure);
    double kernels = 0;
    for (const cli::Json& kernel : outcome.result["kernels"]) kernels += kernel["energy." + structure].get<double>();
    CHECK(kernels == Approx(outcome.ratio("energy." + structure)));
  }
  const cli::Json& table = outcome.result["tables"]["energy_over_time"];
  REQUIRE(table["rows"].size() > 2);
  REQUIRE(table["columns"].size() == kStructures.size() + 1);
  double nj = 0;
  for (std::size_t i = 0; i < table["rows"].size(); ++i) {
    const cli::Json& row = table["rows"][i];
    const bool last = i + 1 == table["rows"].size();
    const double end = last ? outcome.result["kernels"].back()["end_cycle"].get<double>() : table["rows"][i + 1][0].get<double>();
    for (std::size_t k = 1; k < row.size(); ++k) nj += row[k].get<double>() * (end - row[0].get<double>()) / 1.4;
  }
  CHECK(nj == Approx(outcome.ratio("energy.total")));
}

TEST_CASE("windows have the energy of the part of the run that they cover") {
  const GpuParams params = machine("gpus/80sm_xbar");
  RunOptions options;
  options.window_thread_instructions = 20'000;
  const Outcome outcome = run_apart(
      params, [] { return cli::open_named_stimulus("gemm@tiny", 1); }, options);
  REQUIRE(outcome.end == End::done);
  const cli::Json& windows = outcome.result["windows"];
  REQUIRE(windows.size() > 2);
  double constant = 0, instructions = 0, core = 0;
  for (const cli::Json& window : windows) {
    constant += window["energy.constant"].get<double>();
    core += window["energy.core"].get<double>();
    instructions += window["warp_instructions"].get<double>();
  }
  const double ns = (windows.back()["end_cycle"].get<double>() - windows.front()["begin_cycle"].get<double>()) / 1.4;
  CHECK(constant == Approx(25 * ns));
  CHECK(core == Approx(.280 * instructions + 80 * .7 * ns));
}

TEST_CASE("every cause of the table stands in the total") {
  const Outcome outcome = run_named("ata", "bfs@tiny");
  double nj = 0;
  for (const cli::Json& row : outcome.result["tables"]["energy_causes"]["rows"]) {
    CHECK(row[2].get<double>() * row[3].get<double>() / 1000.0 == Approx(row[4].get<double>()));
    nj += row[4].get<double>();
  }
  CHECK(nj == Approx(outcome.ratio("energy.total")));
  CHECK(outcome.ratio("power.extras") == Approx(5.55e-3));
}

TEST_CASE("idle SMs leak less where they are gated, and nothing else changes") {
  const Outcome active = run_named("gpus/80sm_xbar", "gemm@tiny", {"front_end.eligible_sms=60"});
  const Outcome gated = run_named("gpus/80sm_xbar", "gemm@tiny", {"front_end.eligible_sms=60", "energy.idle_sms=gated"});
  CHECK(active.csv == gated.csv);
  CHECK(active.ratio("power.core") - gated.ratio("power.core") == Approx(20 * .63));
  CHECK(active.ratio("power.total") - gated.ratio("power.total") == Approx(20 * .63));
  const Outcome all = run_named("gpus/80sm_xbar", "gemm@tiny", {"energy.idle_sms=gated"});
  CHECK(all.ratio("power.core") > 80 * .7);  // no SM is idle
}

TEST_CASE("searching other L1s costs what its blocks leak") {
  CHECK(run_named("remote_sharing/rp_5_2_05", "gemm@tiny").ratio("power.extras") == Approx(28 * 2.022e-3));
  CHECK(run_named("remote_sharing/baseline", "gemm@tiny").ratio("power.extras") == 0);
}

TEST_CASE("fitted: the networks that the configurations of dc_l1 build have the areas and static powers of common section 14") {
  struct Row {
    const char* configuration;
    double area, leakage;
  };
  for (const Row& row : {Row{"private", 1.000, 1.000},
                         {"pr80", 1.013, 1.040},
                         {"pr40", .723, .967},
                         {"pr20", .460, .690},
                         {"pr10", .328, .551},
                         {"sh40", 1.690, 1.568},
                         {"sh40_c5", .550, .859},
                         {"sh40_c10", .500, .828},
                         {"sh40_c10_boost", .500, .828},
                         {"sh40_c20", .550, .859},
                         {"resources:private_5x_flit", 20.87, 5.0}}) {
    INFO(row.configuration);
    const Outcome outcome = run_named(std::string("dc_l1/") + row.configuration, "synthetic:ctas=1,warps=1,instructions=1");
    CHECK(outcome.ratio("noc.area_relative") == Approx(row.area).epsilon(0.001).margin(0.0006));
    CHECK(outcome.ratio("noc.static_relative") == Approx(row.leakage).epsilon(0.001).margin(0.0006));
  }
}

TEST_CASE("a mesh has a 5 x 5 switch and four links at each of its nodes, and what carries messages between SMs comes on top") {
  const double router = 3.098e-4 * 25 + 1.244e-3 * 10 + 4.91e-5 * 8, ring = 3.098e-4 * 9 + 1.244e-3 * 6 + 4.91e-5 * 4;
  const std::string nothing = "synthetic:ctas=1,warps=1,instructions=1";
  CHECK(run_named("gpus/28sm_mesh", nothing).ratio("noc.area_relative") == Approx(36 * router));
  CHECK(run_named("remote_sharing/rp_5_2_05", nothing).ratio("noc.area_relative") == Approx(36 * router));
  const std::vector<std::string> apart = {"network.peer=ring", "network.ring.bidirectional=true"};
  CHECK(run_named("shared_l1/shared", nothing, apart).ratio("noc.area_relative") == Approx(36 * router + 28 * ring / 2));
}

TEST_CASE("on every GPU traffic and networks take power: what is built says what it is built of") {
  for (const auto& entry : std::filesystem::directory_iterator(cli::configuration_root() / "gpus")) {
    const std::string name = "gpus/" + entry.path().stem().string();
    INFO(name);
    const Outcome outcome = run_named(name, "vectoradd@tiny");
    CHECK(outcome.ratio("energy.noc_dyn") > 0);
    CHECK(outcome.ratio("noc.area_relative") > 0);
    CHECK(outcome.ratio("energy.l2_dyn") > 0);
  }
}

TEST_CASE("a boosted clock costs no static power, and dynamic power through the shorter time") {
  const Outcome plain = run_named("dc_l1/sh40_c10", "gemm@tiny"), boosted = run_named("dc_l1/sh40_c10_boost", "gemm@tiny");
  CHECK(plain.ratio("power.noc_static") == Approx(boosted.ratio("power.noc_static")));
  CHECK(boosted.ratio("time_ns") < plain.ratio("time_ns"));
}

TEST_CASE("negative energies, and gating that costs more than running, are refused with the key's place") {
  const auto mistake = [](const std::string& setting) {
    try {
      machine("gpus/80sm_xbar", {setting});
      return std::string();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  };
  using Catch::Contains;
  CHECK_THAT(mistake("energy.core.warp_instruction_pj=-1"), Contains("energy.core.warp_instruction_pj"));
  CHECK_THAT(mistake("energy.core.sm_gated_w=2"), Contains("energy.core.sm_gated_w is more than sm_on_w"));
  CHECK_THAT(mistake("energy.l2.tag_leakage_share=1.5"), Contains("energy.l2.tag_leakage_share"));
  CHECK_THAT(mistake("energy.noc.link_mm.chip=long"), Contains("energy.noc.link_mm.chip"));
  CHECK_THAT(mistake("energy.idle_sms=off"), Contains("gated"));
  CHECK_THAT(mistake("energy.dram_pj_per_bit=1"), Contains("did you mean"));
}

}  // namespace
}  // namespace wharf::test

// The intervals of sampled runs beside what whole runs count.

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "stimuli/sampling/stratified_estimate.h"
#include "tests/cli/runs/sampled_run.h"

namespace wharf::cli {

TEST_CASE("the interval of a ratio is that of what the launches differ from it, and of times one per cent of what was not measured more") {
  const TemporaryFolder folder;
  const Json result = run(folder, {"--sample", "3"}), metrics = result["sampled"]["metrics"];
  struct Ratio {
    const char *name, *above, *below;
  };
  for (const auto& [name, above, below] :
       {Ratio{"round_trip", "sm.round_trip_sum", "sm.round_trips"}, Ratio{"ipc", "thread_instructions", "cycles"},
        Ratio{"cycles", "cycles", ""}, Ratio{"l1.latency", "sm.l1_latency_sum", "sm.l1_latency_loads"}}) {
    INFO(name);
    const bool is_ratio = *below != '\0';
    const double ratio = value(metrics[name], "estimate"), divisor = is_ratio ? value(metrics[below], "estimate") : 1.0;
    CHECK(ratio == Approx(value(metrics[above], "estimate") / divisor).epsilon(1e-4));
    double measured_cycles = 0;
    std::map<std::uint64_t, const Json*> launches;
    for (const Json& launch : result["kernels"]) launches[launch["launch"].get<std::uint64_t>()] = &launch;
    std::vector<SampledStratum> residuals;
    for (const Json& stratum : result["sampled"]["strata"]) {
      residuals.push_back({stratum["launches"].get<std::uint64_t>(), stratum["size"].get<double>(), {}});
      for (const Json& number : stratum["measured"]) {
        const Json& launch = *launches.at(number.get<std::uint64_t>());
        const double expected = is_ratio ? ratio * launch[below].get<double>() : 0.0;
        residuals.back().drawn.push_back({launch["size"].get<double>(), launch[above].get<double>() - expected});
        measured_cycles += launch["cycles"].get<double>();
      }
    }
    const double of_drawn = estimate_total(residuals).half_width / divisor, cycles = value(metrics["cycles"], "estimate");
    const bool is_of_time = std::string(above) == "cycles" || std::string(below) == "cycles";
    const double of_state = is_of_time ? 0.01 * ratio * (1 - measured_cycles / cycles) : 0.0;
    CHECK(of_drawn > 0);
    CHECK(value(metrics[name], "high") - ratio == Approx(of_drawn + of_state).epsilon(is_of_time ? 1e-6 : 0.01));
  }
}

TEST_CASE("what DRAM does is estimated from its traffic, which skipped launches count too") {
  const TemporaryFolder folder;
  const Json whole = run(folder, {})["run"], metrics = run(folder, {"--sample", "2"})["sampled"]["metrics"];
  for (const char* exact : {"dram.reads", "dram.writes", "dram.requests", "dram.bus_busy_cycles"})
    CHECK(value(metrics[exact], "estimate") == Approx(whole[exact].get<double>()));
  for (const char* with_interval : {"dram.reads", "dram.requests"}) CHECK(metrics[with_interval].size() == 3);
}

TEST_CASE("where launches exceed L2, what drawn launches differ from skipped ones corrects the traffic, within its interval") {
  const TemporaryFolder folder;
  const std::vector<std::string> machine = {"--set", "l2.slice_kib=2"};
  const Json whole = run(folder, machine, "3dconv@tiny")["run"];
  const Json metrics = run(folder, with(machine, {"--sample", "3"}), "3dconv@tiny")["sampled"]["metrics"];
  for (const char* name : {"l2.misses", "dram.reads", "dram.writes"}) {
    INFO(name);
    const auto expected = whole[name].get<double>();
    CHECK(value(metrics[name], "estimate") == Approx(expected).epsilon(0.05));
    CHECK(value(metrics[name], "low") < value(metrics[name], "estimate"));
  }
}

TEST_CASE("predictors have not seen skipped launches, so their counters have no interval") {
  const TemporaryFolder folder;
  const Json metrics =
      run(folder, {"--sample", "2", "--set", "l2.line_policy=loscache", "--set", "sm.prediction.scheme=naive"})["sampled"]["metrics"];
  std::size_t of_predictors = 0;
  for (const auto& [name, metric] : metrics.items()) {
    if (name.rfind("sm.prediction.", 0) != 0 && name.rfind("sm.phase.", 0) != 0) continue;
    INFO(name);
    CHECK(metric.size() == 1);
    ++of_predictors;
  }
  CHECK(of_predictors >= 10);
}

TEST_CASE("over seeds, the intervals contain the whole run's cycles and ratios in nearly all sampled runs") {
  const TemporaryFolder folder;
  std::map<std::string, int> held = {{"cycles", 0}, {"ipc", 0}, {"sm.round_trip_sum", 0}, {"l1.hit_rate_sectors", 0}};
  double error = 0;
  constexpr int kSeeds = 20;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const std::string number = std::to_string(seed);
    const Json whole = run(folder, {"--seed", number})["run"];
    const Json metrics = run(folder, {"--sample", "5", "--seed", number})["sampled"]["metrics"];
    for (auto& [name, times] : held) {
      const auto expected = whole[name].get<double>();
      times += value(metrics[name], "low") <= expected && expected <= value(metrics[name], "high") ? 1 : 0;
    }
    const auto cycles = whole["cycles"].get<double>();
    error += (value(metrics["cycles"], "estimate") - cycles) / cycles / kSeeds;
    CHECK(value(metrics["cycles"], "estimate") == Approx(cycles).epsilon(0.15));
  }
  for (const auto& [name, times] : held) {
    INFO(name);
    CHECK(times >= 17);  // of 20 with a probability of 0.95 each, fewer come in 1.6 % of tries
  }
  CHECK(std::abs(error) < 0.03);
}

TEST_CASE("over seeds, the interval of a launch in part contains the cycles of the whole one in nearly all runs") {
  const TemporaryFolder folder;
  int held = 0;
  constexpr int kSeeds = 20;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    std::vector<std::string> machine(kSmallMachine.begin(), kSmallMachine.end() - 2);
    machine = with(machine, {"--seed", std::to_string(seed)});
    const double cycles = run(folder, machine, kLongLaunch)["run"]["cycles"].get<double>();
    const Json sampled = run(folder, with(machine, {"--sample", "5"}), kLongLaunch)["sampled"];
    REQUIRE(sampled["launches_in_part"] == 1);
    const Json& metric = sampled["metrics"]["cycles"];
    held += value(metric, "low") <= cycles && cycles <= value(metric, "high") ? 1 : 0;
    CHECK(value(metric, "estimate") == Approx(cycles).epsilon(0.06));
  }
  CHECK(held >= 17);
}

}  // namespace wharf::cli

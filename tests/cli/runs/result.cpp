#include "platforms/cli/results/result.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

using config::Unit;

/// With zeros for counters that were registered later.
stats::Snapshot resized(const stats::KeptSnapshot& snapshot, std::size_t counters) {
  stats::Snapshot values = snapshot.values();
  values.resize(counters);
  return values;
}

/// Two L1s and one SM, counted over two kernels of 100 and 300 cycles.
struct Machine {
  stats::Registry registry;
  stats::Group l1_0{registry, "l1", 0}, l1_1{registry, "l1", 1}, sm{registry, "sm", 0};
  stats::Counter hits_0{l1_0, "load.hits", "loads that hit", Unit::accesses},
      misses_0{l1_0, "load.misses", "loads that missed", Unit::accesses};
  stats::Counter hits_1{l1_1, "load.hits", "loads that hit", Unit::accesses},
      misses_1{l1_1, "load.misses", "loads that missed", Unit::accesses};
  stats::Counter threads{sm, "thread_instructions", "", Unit::count}, warps{sm, "warp_instructions", "", Unit::count};
  stats::Histogram latency{sm, "latency", "", Unit::cycles};
  Interval run;
  std::vector<Interval> kernels, windows;

  Machine() {
    registry.derived("l1.miss_rate", "", Unit::ratio, [](const stats::View& v) {
      const double misses = static_cast<double>(v.sum("l1.load.misses"));
      return misses / (misses + static_cast<double>(v.sum("l1.load.hits")));
    });
    run.begin = registry.snapshot();
    add_kernel("first", 0, 100, 3, 1, 64);
    add_kernel("second", 100, 400, 5, 7, 128);
    run.end_cycle = 400;
    run.end_ps = 400'000;
    run.end = registry.snapshot();
    latency.add(3);
    latency.add(5);
  }

  void add_kernel(const char* name, Cycle from, Cycle to, unsigned hits, unsigned misses, unsigned thread_instructions) {
    Interval kernel;
    kernel.name = name;
    kernel.begin_cycle = from, kernel.end_cycle = to;
    kernel.begin_ps = from * 1000, kernel.end_ps = to * 1000;
    kernel.begin = registry.snapshot();
    hits_0 += hits;
    misses_1 += misses;
    threads += thread_instructions;
    warps += thread_instructions / 32;
    kernel.end = registry.snapshot();
    kernels.push_back(kernel);
  }

  Measurement measured() const { return {registry, run, kernels, windows, {{"a zero mask", 2}}, false, {}}; }
};

TEST_CASE("result: a registered table stands under its name with columns and typed cells") {
  Machine machine;
  machine.registry.table("links", "flits by link", [] {
    return stats::TableRows{{"link", "flits", "utilisation"}, {{std::string("0 > 1"), std::uint64_t{12}, 0.5}}};
  });
  const Json json = result_json({}, {machine.registry, machine.run, machine.kernels, machine.windows, {}, false, ""}, {});
  const Json expected = {{"help", "flits by link"}, {"columns", {"link", "flits", "utilisation"}}, {"rows", {{"0 > 1", 12, 0.5}}}};
  CHECK(json["tables"]["links"] == expected);
}

TEST_CASE("the run's metrics are the totals over instances and the derived metrics") {
  const Machine machine;
  const Json run = result_json(Json::object(), machine.measured(), Json::object())["run"];
  CHECK(run["cycles"] == 400);
  CHECK(run["time_ns"] == 400.0);
  CHECK(run["thread_instructions"] == 64 + 128);
  CHECK(run["warp_instructions"] == 2 + 4);
  CHECK(run["ipc"].get<double>() == Approx((64 + 128) / 400.0));
  CHECK(run["l1.load.hits"] == 3 + 5);
  CHECK(run["l1.load.misses"] == 1 + 7);
  CHECK(run["l1.miss_rate"] == 8.0 / 16.0);
}

TEST_CASE("each kernel has the metrics of its own interval") {
  const Machine machine;
  const Json kernels = result_json(Json::object(), machine.measured(), Json::object())["kernels"];
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0]["name"] == "first");
  CHECK(kernels[0]["cycles"] == 100);
  CHECK(kernels[0]["l1.miss_rate"] == 1.0 / 4.0);
  CHECK(kernels[1]["begin_cycle"] == 100);
  CHECK(kernels[1]["cycles"] == 300);
  CHECK(kernels[1]["l1.load.misses"] == 7);
}

TEST_CASE("a result carries inputs, warnings and histograms, and ends with host") {
  const Machine machine;
  const Json result = result_json({{"seed", 1}}, machine.measured(), {{"wall_s", 1.5}});
  CHECK(result["inputs"]["seed"] == 1);
  CHECK(result["warnings"][0]["text"] == "a zero mask");
  CHECK(result["warnings"][0]["count"] == 2);
  CHECK(result["tables"]["histograms"]["sm.latency"]["count"] == 2);
  CHECK(result["tables"]["histograms"]["sm.latency"]["mean"] == 4.0);
  CHECK(result["tables"]["histograms"]["sm.latency"]["bins"] == Json({0, 0, 1, 1}));  // 3 in [2, 4), 5 in [4, 8)
  CHECK(std::prev(result.end()).key() == "host");
  CHECK(result["partial"] == false);
}

TEST_CASE("a failed run is partial and says why") {
  const Machine machine;
  Measurement measured = machine.measured();
  measured.failure = "l1[3]: a broken law";
  const Json result = result_json(Json::object(), measured, Json::object());
  CHECK(result["partial"] == true);
  CHECK(result["failure"] == "l1[3]: a broken law");
}

TEST_CASE("stats.csv has a row for each instance of a counter") {
  const Machine machine;
  CHECK(stats_csv(machine.measured()) ==
        "path,metric,unit,value\n"
        "l1[0].load.hits,l1.load.hits,accesses,8\n"
        "l1[0].load.misses,l1.load.misses,accesses,0\n"
        "l1[1].load.hits,l1.load.hits,accesses,0\n"
        "l1[1].load.misses,l1.load.misses,accesses,8\n"
        "sm[0].thread_instructions,sm.thread_instructions,count,192\n"
        "sm[0].warp_instructions,sm.warp_instructions,count,6\n");
}

TEST_CASE("the Accel-Sim totals count sectors, and cycles over the kernels") {
  Machine machine;
  stats::Group l1(machine.registry, "l1", 2), l2(machine.registry, "l2", 0), dram(machine.registry, "dram", 0);
  stats::Counter accesses(l1, "sectors.accesses", "", Unit::accesses), misses(l1, "sectors.misses", "", Unit::accesses);
  stats::Counter pending(l1, "sectors.pending_hits", "", Unit::accesses), l2_accesses(l2, "sectors.accesses", "", Unit::accesses);
  stats::Counter l2_misses(l2, "sectors.misses", "", Unit::accesses), reads(dram, "reads", "", Unit::accesses);
  // Bursts of two sectors.
  machine.registry.derived("dram.sectors.reads", "", Unit::count,
                           [](const stats::View& v) { return 2.0 * static_cast<double>(v.sum("dram.reads")); });
  machine.registry.derived("dram.sectors.writes", "", Unit::count, [](const stats::View&) { return 0.0; });
  machine.run.begin = resized(machine.run.begin, machine.registry.counters().size());
  accesses += 40, misses += 10, pending += 5, l2_accesses += 10, l2_misses += 4, reads += 3;
  machine.run.end = machine.registry.snapshot();
  CHECK(accelsim_stats(machine.measured()) ==
        "gpu_tot_sim_cycle = 400\n"
        "gpu_tot_sim_insn = 192\n"
        "gpgpu_n_tot_w_icount = 6\n"
        "gpu_tot_ipc = 0.4800\n"
        "L1D_total_cache_accesses = 40\n"
        "L1D_total_cache_misses = 10\n"
        "L1D_total_cache_pending_hits = 5\n"
        "L2_total_cache_accesses = 10\n"
        "L2_total_cache_misses = 4\n"
        "total_dram_reads = 6\n"
        "total_dram_writes = 0\n");
}

TEST_CASE("the summary counts L2 and DRAM in sectors, misses with their share of the accesses") {
  Machine machine;
  stats::Group l2(machine.registry, "l2", 0), dram(machine.registry, "dram", 0);
  stats::Counter lines(l2, "accesses", "", Unit::accesses), line_misses(l2, "misses", "", Unit::accesses);
  stats::Counter accesses(l2, "sectors.accesses", "", Unit::accesses), misses(l2, "sectors.misses", "", Unit::accesses);
  stats::Counter bursts(dram, "reads", "", Unit::accesses);
  machine.registry.derived("dram.sectors.reads", "", Unit::count,
                           [](const stats::View& v) { return 2.0 * static_cast<double>(v.sum("dram.reads")); });
  const std::size_t counters = machine.registry.counters().size();
  machine.run.begin = resized(machine.run.begin, counters);
  for (Interval& kernel : machine.kernels) kernel.begin = resized(kernel.begin, counters), kernel.end = resized(kernel.end, counters);
  lines += 4, line_misses += 1, accesses += 16, misses += 12, bursts += 6;
  machine.run.end = machine.registry.snapshot();
  const Json result = result_json(Json::object(), machine.measured(), Json::object());
  CHECK_THAT(summary(result), Catch::Contains("  L2 accesses                     16 sectors\n"
                                              "  L2 misses                       12 sectors, 75.00 %\n"
                                              "  DRAM reads                      12 sectors\n"));
  const auto rows = run_table(result).rows;
  const auto has = [&](const char* metric, const char* value) {
    return std::find(rows.begin(), rows.end(), std::vector<std::string>{metric, value}) != rows.end();
  };
  CHECK(has("l2.sectors.accesses", "16"));
  CHECK(has("l2.sectors.misses", "12"));
}

TEST_CASE("the summary names cycles, kernels, warnings and an early end") {
  const Machine machine;
  Measurement measured = machine.measured();
  measured.partial = true;
  const std::string text = summary(result_json(Json::object(), measured, Json::object()));
  CHECK_THAT(text, Catch::Contains("400 cycles"));
  CHECK_THAT(text, Catch::Contains("L1 miss rate") && Catch::Contains("50.00 %"));
  CHECK_THAT(text, Catch::Contains("first") && Catch::Contains("second"));
  CHECK_THAT(text, Catch::Contains("warning: a zero mask (2 times)"));
  CHECK_THAT(text, Catch::Contains("partial"));
}

}  // namespace
}  // namespace wharf::cli

#include "platforms/cli/sweeps/comparison.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace wharf::cli {
namespace {

/// A run at constant `watts`.
Json run_of(double time_ns, std::uint64_t work, double miss_rate, double replication, double watts) {
  return {{"cycles", time_ns},           {"time_ns", time_ns},
          {"thread_instructions", work}, {"ipc", static_cast<double>(work) / time_ns},
          {"l1.miss_rate", miss_rate},   {"inter_core_locality", replication},
          {"power.total", watts},        {"energy.total", watts * time_ns}};
}

/// Two configurations, two stimuli: `fast` takes half and an eighth of the time.
Comparison example_comparison() {
  return {{"base", "fast"},
          {"gemm", "atax"},
          "base",
          {{"base", "gemm", run_of(100, 1000, 0.2, 0.5, 10), {}, {}},
           {"fast", "gemm", run_of(50, 1000, 0.1, 0.0, 20), {}, {}},
           {"base", "atax", run_of(800, 1000, 0.4, 0.7, 10), {}, {}},
           {"fast", "atax", run_of(100, 1000, 0.1, 0.0, 5), {}, {}}}};
}

TEST_CASE("a speed-up is the baseline's time by the configuration's") {
  const Comparison comparison = example_comparison();
  CHECK(comparison.speed_up("fast", "gemm") == 100.0 / 50.0);
  CHECK(comparison.speed_up("fast", "atax") == 800.0 / 100.0);
  CHECK(comparison.speed_up("base", "atax") == 1.0);
}

TEST_CASE("runs of unequal work or without a result have no speed-up") {
  Comparison comparison = example_comparison();
  comparison.outcomes[1].run["thread_instructions"] = 999;
  comparison.outcomes[3].run = Json();
  CHECK(std::isnan(comparison.speed_up("fast", "gemm")));
  CHECK(std::isnan(comparison.speed_up("fast", "atax")));
  CHECK(headline_table(comparison).rows[0].back() == "-");
}

TEST_CASE("performance per watt and per joule divide the speed-up by the ratios of power and of energy") {
  const Comparison comparison = example_comparison();
  CHECK(comparison.per_watt("fast", "gemm") == 2.0 / (20.0 / 10.0));
  CHECK(comparison.per_energy("fast", "gemm") == 2.0 / (20.0 * 50.0 / (10.0 * 100.0)));
  CHECK(comparison.per_watt("fast", "atax") == 8.0 / (5.0 / 10.0));
  CHECK(comparison.per_energy("fast", "atax") == 8.0 / (5.0 * 100.0 / (10.0 * 800.0)));
  CHECK(comparison.per_watt("base", "atax") == 1.0);
  Comparison without = example_comparison();
  without.outcomes[1].run.erase("power.total");
  CHECK(std::isnan(without.per_watt("fast", "gemm")));
}

TEST_CASE("the interval of a sampled speed-up comes from the differences between launches on both machines") {
  // Two launches of four are measured. Machine `fast` takes half the time, and 1 ns more or less.
  const auto sample = [](double first, double second) {
    const Json strata = {{{"group", 0}, {"launches", 4}, {"size", 4}, {"measured", {2, 3}}}};
    const Json metrics = {{"time_ns", {{"estimate", 2 * (first + second)}}}};
    return Json{{"sampled", {{"launches", 5}, {"size", 5}, {"strata", strata}, {"metrics", metrics}}},
                {"kernels",
                 {{{"launch", 1}, {"size", 1}, {"time_ns", 77}},  // a warm-up
                  {{"launch", 2}, {"size", 1}, {"time_ns", first}},
                  {{"launch", 3}, {"size", 1}, {"time_ns", second}}}}};
  };
  Comparison comparison = {
      {"base", "fast"},
      {"gemm"},
      "base",
      {{"base", "gemm", run_of(240, 1000, 0.2, 0.5, 10), {}, {}}, {"fast", "gemm", run_of(120, 1000, 0.1, 0.0, 20), {}, {}}}};
  CHECK(std::isnan(comparison.speed_up_half_width("fast", "gemm")));
  CHECK_THAT(comparison_csv({comparison}), !Catch::Contains("half_width"));
  comparison.outcomes[0].sample = sample(20, 100);
  comparison.outcomes[1].sample = sample(11, 49);
  // Residuals 20 - 2 * 11 and 100 - 2 * 49: variance 8, of the total 4 * 4 * (1 - 2/4) * 8 / 2 = 32; Student's t of one degree 12.706.
  CHECK(comparison.speed_up_half_width("fast", "gemm") == Approx(12.7062 * std::sqrt(32.0) / 120.0).epsilon(1e-4));
  CHECK(comparison.speed_up_half_width("base", "gemm") == 0.0);
  CHECK_THAT(headline_table(comparison).rows[0][4], Catch::StartsWith("2.000x +-0.599"));
  CHECK(comparison_json({comparison})["runs"][1]["speed_up_half_width"].get<double>() == Approx(0.599).epsilon(1e-3));
  CHECK_THAT(comparison_csv({comparison}), Catch::Contains(",speed_up_by_product,speed_up_half_width\n") && Catch::Contains(",0.59897"));
  comparison.outcomes[1].sample["sampled"]["strata"][0]["launches"] = 5;
  CHECK(std::isnan(comparison.speed_up_half_width("fast", "gemm")));
  // Thread instructions of samples are estimates. Work is equal if all launches are.
  comparison.outcomes[1].run["thread_instructions"] = 1001.5;
  CHECK(comparison.speed_up("fast", "gemm") == 2.0);
  comparison.outcomes[1].sample["sampled"]["size"] = 6;
  CHECK(std::isnan(comparison.speed_up("fast", "gemm")));
}

// CM-35, SL-38
TEST_CASE("means are geometric for speed-ups and arithmetic for rates") {
  CHECK(geometric_mean({2.0, 8.0}) == Approx(4.0));
  CHECK(arithmetic_mean({2.0, 8.0}) == 5.0);
  CHECK(std::isnan(geometric_mean({})));
  const Json means = comparison_json({example_comparison()})["means"];
  CHECK(means["fast"]["speed_up_geometric"].get<double>() == Approx(4.0));
  CHECK(means["fast"]["speed_up_arithmetic"].get<double>() == Approx(5.0));
  CHECK(means["base"]["l1.miss_rate"].get<double>() == Approx((0.2 + 0.4) / 2));
  CHECK(means["base"]["inter_core_locality"].get<double>() == Approx((0.5 + 0.7) / 2));
}

TEST_CASE("the headline shows miss rate, replication, IPC, speed-ups and performance per watt and joule, with the mean set apart") {
  const Table table = headline_table(example_comparison());
  CHECK(table.columns == std::vector<std::string>{"stimulus", "L1 miss rate", "replication", "IPC", "fast", "perf/W", "perf/J"});
  CHECK(table.rows[0] == std::vector<std::string>{"gemm", "20.0 %", "0.500", "10.0", "2.000x", "1.000x", "2.000x"});
  CHECK(table.rows[1] == std::vector<std::string>{"atax", "40.0 %", "0.700", "1.2", "8.000x", "16.000x", "128.000x"});
  CHECK(table.rows[2] == std::vector<std::string>{"mean", "30.0 %", "0.600", "3.5", "4.000x", "4.000x", "16.000x"});
  CHECK(table.mean_rows == 1);
}

TEST_CASE("the CSV has a row for each run, and empty cells where one failed") {
  Comparison comparison = example_comparison();
  comparison.outcomes[3].run = Json();
  comparison.outcomes[3].failure = "signal 11";
  const std::string csv = comparison_csv({comparison});
  CHECK_THAT(csv, Catch::Contains("\nfast,gemm,50,50,1000,20,,0.1,0,20,1000,2,1,2,,,\n"));
  CHECK_THAT(csv, Catch::Contains("\nfast,atax,,,,,,,,,,,,,,,\n"));
  CHECK(comparison_json({comparison})["runs"][3]["failure"] == "signal 11");
}

TEST_CASE("results of searches have a table of their own, with the published values, which is absent without searches") {
  Comparison comparison = example_comparison();
  CHECK(chosen_table(comparison).rows.empty());
  comparison.outcomes[3].chosen = "34";
  comparison.outcomes[3].published = "42";
  const Table table = chosen_table(comparison);
  CHECK(table.columns == std::vector<std::string>{"stimulus", comparison.outcomes[3].config});
  REQUIRE(table.rows.size() == comparison.stimuli.size());
  CHECK(table.rows[0][1] == "-");
  CHECK(table.rows[1] == std::vector<std::string>{comparison.outcomes[3].stimulus, "34 (42)"});
  CHECK(comparison_json({comparison})["runs"][3]["published"] == "42");
}

TEST_CASE("a text table keeps its columns straight for names of any length and script") {
  const Table table{"", "", {"name", "n"}, {{"a", "1"}, {"\xC3\xA9toile", "1000"}}, 0};
  CHECK(as_text(table) ==
        "name       n\n"
        "------------\n"
        "a          1\n"
        "\xC3\xA9toile  1000\n");
}

TEST_CASE("a CSV cell is quoted where a comma or a quote would break it") {
  CHECK(csv_cell("gemm@std") == "gemm@std");
  CHECK(csv_cell("gemm:n=1,m=2") == "\"gemm:n=1,m=2\"");
  CHECK(csv_cell("a\"b") == "\"a\"\"b\"");
}

}  // namespace
}  // namespace wharf::cli

// bench --growth: exponents of time and memory. bench --traces: figures for a user's own traces.

#include <catch2/catch.hpp>
#include <cmath>

#include "platforms/cli/bench/growth.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "stimuli/traces/selection/trace_spec.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// build = 3 * size, run = 0.5 * size^2, memory constant.
MeasuredGrowth exact() {
  MeasuredGrowth growth{"SMs", {}};
  for (const double size : {1.0, 10.0, 40.0}) growth.points.push_back({size, 3.0 * size, 0.5 * size * size, 7.0});
  return growth;
}

std::string traces() { return (project_root() / "tests" / "data" / "accelsim" / "traces").string(); }

}  // namespace

TEST_CASE("bench --growth: the exponent of a power law is its own, whatever its factor") {
  CHECK(fitted_exponent(exact(), &GrowthFigures::build_s) == Approx(1.0));
  CHECK(fitted_exponent(exact(), &GrowthFigures::run_s) == Approx(2.0));
  CHECK(fitted_exponent(exact(), &GrowthFigures::peak_mb) == Approx(0.0).margin(1e-12));
}

TEST_CASE("bench --growth: the exponent is that of least squares over the logarithms") {
  // log2: x = 0, 1, 2 and y = 0, 3, 3. Slope: ((-1) * (-2) + 0 * 1 + 1 * 1) / 2
  const MeasuredGrowth growth{"SMs", {{1, 1, 1, 1}, {2, 1, 8, 1}, {4, 1, 8, 1}}};
  CHECK(fitted_exponent(growth, &GrowthFigures::run_s) == Approx(1.5));
}

TEST_CASE("bench --growth: there is no exponent of one size, or of a figure that is 0") {
  const MeasuredGrowth one{"SMs", {{8, 1, 1, 1}, {8, 2, 2, 2}}}, zero{"SMs", {{8, 0, 1, 1}, {16, 1, 2, 2}}};
  CHECK(std::isnan(fitted_exponent(one, &GrowthFigures::run_s)));
  CHECK(std::isnan(fitted_exponent(zero, &GrowthFigures::build_s)));
  CHECK(growth_table(zero).rows.back() == std::vector<std::string>{"exponent", "?", "1.00", "1.00"});
  CHECK(growth_json({zero})[0]["exponents"]["build_s"].is_null());
}

TEST_CASE("bench --growth: a table has a row per size, then the exponents") {
  const Table table = growth_table(exact());
  CHECK(table.title == "Growth with SMs");
  CHECK(table.columns == std::vector<std::string>{"size", "build s", "run s", "peak MB"});
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[1] == std::vector<std::string>{"10", "30.000", "50.000", "7.0"});
  CHECK(table.rows[3] == std::vector<std::string>{"exponent", "1.00", "2.00", "0.00"});
  CHECK(table.mean_rows == 1);
}

TEST_CASE("bench --growth: the JSON has the points and the exponents of each series") {
  const Json json = growth_json({exact()});
  REQUIRE(json.size() == 1);
  CHECK(json[0]["size"] == "SMs");
  CHECK(json[0]["points"][1] == Json{{"size", 10.0}, {"build_s", 30.0}, {"run_s", 50.0}, {"peak_mb", 7.0}});
  CHECK(json[0]["exponents"]["run_s"].get<double>() == Approx(2.0));
}

TEST_CASE("bench --growth: the machine of each point exists, and the sizes of a series ascend") {
  for (const GrowthSeries& series : growth_series()) {
    INFO(series.size);
    REQUIRE(series.points.size() >= 2);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const BenchPart& part = series.points[i].part;
      INFO(part.name);
      CHECK((i == 0 || series.points[i - 1].size < series.points[i].size));
      const GpuParams params = load_configuration(part.configuration, part.settings, "").params;
      if (series.size.rfind("SMs", 0) == 0) CHECK(params.sms == series.points[i].size);
    }
  }
}

TEST_CASE("bench --growth: a point measures the build, the run and the memory") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"bench", "--part=growth_kernels_10", "--out", (folder / "out").string()});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const Json measured = Json::parse(ended.output.substr(ended.output.find('{')));
  for (const char* figure : {"build_s", "run_s", "rss_mb"}) CHECK(measured[figure].get<double>() > 0.0);
}

TEST_CASE("bench --traces adds a figure for each trace of a folder, beside those of the test data") {
  const auto names_of = [](const std::vector<BenchPart>& parts) {
    std::vector<std::string> names;
    for (const BenchPart& part : parts) names.push_back(part.name);
    return names;
  };
  const std::vector<std::string> plain = names_of(bench_parts()), names = names_of(bench_parts(traces()));
  REQUIRE(names.size() == plain.size() + traces::traces_in(traces()).size());
  CHECK_THAT(names, Catch::VectorContains(std::string("given_bfs")) && Catch::VectorContains(std::string("trace_bfs")));
  const TemporaryFolder folder;
  const Ended ended =
      wharf(folder, {"bench", "--part=given_vectoradd", "--traces", traces() + "/vectoradd", "--out", (folder / "out").string()});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK(Json::parse(ended.output.substr(ended.output.find('{')))["rate"].get<double>() > 0.0);
}

TEST_CASE("bench --traces refuses a folder without a trace, and --growth what it does not measure") {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  std::filesystem::create_directories(folder / "empty");
  const Ended empty = wharf(folder, {"bench", "--traces", (folder / "empty").string(), "--out", out});
  CHECK(empty.exit_code == 2);
  CHECK_THAT(empty.output, Contains("empty"));
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--traces", traces()}, {"--part", "kernel"}, {"--against", "ls {trace}"}}) {
    std::vector<std::string> words = {"bench", "--growth", "--out", out};
    words.insert(words.end(), other.begin(), other.end());
    const Ended ended = wharf(folder, words);
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("each is a benchmark of its own"));
  }
}

}  // namespace wharf::cli

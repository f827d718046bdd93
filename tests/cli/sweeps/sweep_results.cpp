#include <catch2/catch.hpp>

#include "platforms/cli/sweeps/sweep.h"

namespace wharf::cli {
namespace {

RunRecord with(double ipc, double miss_rate) { return {RunStatus::done, {{"run", {{"ipc", ipc}, {"l1.miss_rate", miss_rate}}}}, {}, {}}; }

/// Two lines over two stimuli: private with 4 ways, and the result of a search.
Sweep example_sweep() {
  Sweep sweep;
  sweep.spec.stimuli = {"gemm:n=16,m=16", "atax"};
  sweep.spec.metrics = {"ipc", "l1.miss_rate"};
  sweep.spec.keys = {"l1.ways"};
  sweep.spec.lines = {{"private", {"l1.ways=4"}, "", {}, {}}, {"private", {"l1.ways=4"}, "best", config::Search{}, {}}};
  sweep.records = {with(2, 0.25), with(8, 0.75), with(4, 0.5), with(9, 0.5)};
  sweep.records[2].chosen = "shared_l1/shared";
  sweep.records[3].chosen = "gto";
  sweep.records[3].published = "lrr";
  return sweep;
}

// CM-35
TEST_CASE("a sweep has a table a metric: geometric means of performance, arithmetic ones of ratios, and choices in brackets") {
  const std::vector<Table> tables = sweep_tables(example_sweep());
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].columns == std::vector<std::string>{"configuration", "l1.ways", "gemm:n=16,m=16", "atax", "geometric mean"});
  CHECK(tables[0].rows[0] == std::vector<std::string>{"private", "4", "2", "8", "4"});
  CHECK(tables[0].rows[1] == std::vector<std::string>{"private best", "4", "4 (shared)", "9 (gto, published lrr)", "6"});
  CHECK(tables[1].columns.back() == "mean");
  CHECK(tables[1].rows[0] == std::vector<std::string>{"private", "4", "0.25", "0.75", "0.5"});
}

TEST_CASE("a missing run has no figure, its line no mean, and its failure a sentence") {
  Sweep sweep = example_sweep();
  sweep.records[1] = {RunStatus::failed, {}, "signal 9 (Killed)", {}};
  CHECK(sweep_tables(sweep)[0].rows[0] == std::vector<std::string>{"private", "4", "2", "-", "-"});
  CHECK(sweep_failures(sweep) == std::vector<std::string>{"private l1.ways=4 atax: signal 9 (Killed)"});
  CHECK(sweep_failures(example_sweep()).empty());
  const Json run = sweep_json(sweep)["runs"][1];
  CHECK(run["status"] == "failed");
  CHECK(run["failure"] == "signal 9 (Killed)");
  CHECK(run["run"].is_null());
}

TEST_CASE("of more stimuli than a terminal is wide a table shows the means only") {
  Sweep sweep = example_sweep();
  sweep.spec.lines.resize(1);
  sweep.spec.stimuli.assign(9, "gemm");
  sweep.records.assign(9, with(5, 0.5));
  CHECK(sweep_tables(sweep)[0].columns == std::vector<std::string>{"configuration", "l1.ways", "geometric mean"});
}

TEST_CASE("a sampled sweep has the interval of each figure that has one in its tables, sweep.csv and sweep.json") {
  Sweep sweep = example_sweep();
  sweep.spec.sample = 5;
  sweep.spec.lines.resize(1);
  sweep.records.resize(2);
  sweep.records[0].result["sampled"]["metrics"] = {{"ipc", {{"estimate", 2}, {"low", 1.5}, {"high", 2.25}}},
                                                   {"l1.miss_rate", {{"estimate", 0.25}}}};
  CHECK(sweep_tables(sweep)[0].rows[0] == std::vector<std::string>{"private", "4", "2 +-0.5", "8", "4"});
  CHECK(sweep_tables(sweep)[1].rows[0][2] == "0.25");
  CHECK(sweep_csv(sweep) ==
        "config,l1.ways,stimulus,search,chosen,published,status,ipc,ipc low,ipc high,l1.miss_rate,l1.miss_rate low,l1.miss_rate high\n"
        "private,4,\"gemm:n=16,m=16\",,,,done,2,1.5,2.25,0.25,,\n"
        "private,4,atax,,,,done,8,,,0.75,,\n");
  const Json runs = sweep_json(sweep)["runs"];
  CHECK(runs[0]["intervals"] == Json{{"ipc", {1.5, 2.25}}});
  CHECK_FALSE(runs[1].contains("intervals"));
}

TEST_CASE("sweep.csv has a row a result and a column a varied key and metric") {
  CHECK(sweep_csv(example_sweep()) ==
        "config,l1.ways,stimulus,search,chosen,published,status,ipc,l1.miss_rate\n"
        "private,4,\"gemm:n=16,m=16\",,,,done,2,0.25\n"
        "private,4,atax,,,,done,8,0.75\n"
        "private,4,\"gemm:n=16,m=16\",best,shared_l1/shared,,done,4,0.5\n"
        "private,4,atax,best,gto,lrr,done,9,0.5\n");
}

}  // namespace
}  // namespace wharf::cli

// Designs alone and combined: the figures of `compare --combine`, and its choice.

#include "platforms/cli/sweeps/combination.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "platforms/inputs/configuration.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
using Row = std::vector<std::string>;

Json run_of(double time_ns, double energy, double noc_bytes, double dram_sectors) {
  return {{"time_ns", time_ns},     {"thread_instructions", 1000},        {"energy.total", energy},
          {"net.bytes", noc_bytes}, {"dram.sectors.reads", dram_sectors}, {"dram.sectors.writes", dram_sectors}};
}

/// Two designs that each halve the time. Together they need a quarter of it for gemm, and all of it for atax.
Comparison example_combination() {
  Comparison c;
  c.configs = {"base@gpu", "a@gpu", "b@gpu", "a+b@gpu"};
  c.stimuli = {"gemm", "atax"};
  c.baseline = "base@gpu";
  c.combinations = {{"a+b@gpu", {"a@gpu", "b@gpu"}}};
  c.outcomes = {{"base@gpu", "gemm", run_of(800, 100, 64, 10), {}, {}}, {"base@gpu", "atax", run_of(800, 100, 64, 10), {}, {}},
                {"a@gpu", "gemm", run_of(400, 50, 128, 10), {}, {}},    {"a@gpu", "atax", run_of(400, 50, 128, 10), {}, {}},
                {"b@gpu", "gemm", run_of(400, 80, 32, 5), {}, {}},      {"b@gpu", "atax", run_of(400, 80, 32, 5), {}, {}},
                {"a+b@gpu", "gemm", run_of(200, 40, 64, 5), {}, {}},    {"a+b@gpu", "atax", run_of(800, 40, 64, 5), {}, {}}};
  return c;
}

TEST_CASE("the table of combinations has speed, energy and traffic by the baseline's, and by the product of what the designs have alone") {
  const Table table = combination_table(example_combination());
  CHECK(table.columns == Row{"design", "speed", "energy", "NoC bytes", "DRAM bytes", "speed by product", "energy by product"});
  CHECK(table.rows == std::vector<Row>{{"base", "1.000", "1.000", "1.000", "1.000", "-", "-"},
                                       {"a", "2.000", "0.500", "2.000", "1.000", "-", "-"},
                                       {"b", "2.000", "0.800", "0.500", "0.500", "-", "-"},
                                       {"a+b", "2.000", "0.400", "1.000", "0.500", "0.500", "1.000"}});  // sqrt(4 * 1), sqrt(1 * 1/4)
  CHECK(over_product_table(example_combination()).rows == std::vector<Row>{{"a+b", "1.000", "0.250"}});
}

TEST_CASE("a combination has no product where a run of its designs is missing or did other work") {
  Comparison missing = example_combination();
  missing.outcomes[2].run = Json();
  CHECK(over_product_table(missing).rows == std::vector<Row>{{"a+b", "-", "0.250"}});
  Comparison other_work = example_combination();
  other_work.outcomes[6].run["thread_instructions"] = 999;
  CHECK(over_product_table(other_work).rows == std::vector<Row>{{"a+b", "-", "0.250"}});
  CHECK(combination_table(other_work).rows[3] == Row{"a+b", "1.000", "0.400", "1.000", "0.500", "0.250", "1.000"});
}

TEST_CASE("the JSON of combinations has the figures of the table, and null where there are none") {
  const Json rows = combination_json(example_combination());
  CHECK(rows[3]["config"] == "a+b@gpu");
  CHECK(rows[3]["alone"] == Json{"a@gpu", "b@gpu"});
  CHECK(rows[3]["speed_up_by_product"].get<double>() == Approx(0.5));
  CHECK(rows[1]["speed_up_by_product"].is_null());
  CHECK(rows[2]["dram_bytes"].get<double>() == Approx(0.5));
  const Json all = comparison_json({example_combination()});
  CHECK(all["groups"][0]["combinations"] == rows);
  CHECK(all["runs"][6]["speed_up_by_product"] == 1.0);
  CHECK_FALSE(all["runs"][2].contains("speed_up_by_product"));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string reason(const Comparison& group, const std::string& config) {
  const auto found = std::find_if(group.refused.begin(), group.refused.end(), [&](const Refused& r) { return r.config == config; });
  return found == group.refused.end() ? "" : found->reason;
}

TEST_CASE("all designs stand on 80 SMs, and any two do that agree, or are refused with the reason") {
  const Comparison group = combinations_on("80sm_common", {});
  for (const char* alone : {"remote_sharing", "shared_l1", "dc_l1", "ata", "morpheus"}) {
    CAPTURE(alone);
    const std::string design = alone;
    CHECK(has(group.configs, design + "@80sm_common"));
    CHECK(has(group.configs, design + "+ciao/ciao_t_short@80sm_common"));
    CHECK(has(group.configs, design + "+ciao/ciao_c_short@80sm_common"));
    if (design != "morpheus") CHECK(has(group.configs, design + "+loscache@80sm_common"));
  }
  CHECK(has(group.configs, "loscache+ciao/ciao_c_short@80sm_common"));
  CHECK(group.combinations.size() == 16);
  CHECK_THAT(reason(group, "morpheus+loscache@80sm_common"), Contains("l2.write_miss is 'fetch_partial' here and 'lazy' in "));
  CHECK_THAT(reason(group, "dc_l1+ata@80sm_common"), Contains("platform is 'ata' here and 'dc_l1' in "));
  CHECK_THAT(reason(group, "ciao/ciao_t_short+ciao/ciao_c_short@80sm_common"),
             Contains("sm.warp_filter is 'ciao_c' here and 'ciao_t' in "));
  CHECK(group.refused.size() == 12);  // ten pairs of platforms, and these two pairs
}

TEST_CASE("compare --combine prints one table of designs alone and together, and what is refused, and runs nothing when it is run again") {
  const TemporaryFolder folder;
  const std::vector<std::string> command = {"compare", "--combine", "--gpu", "28sm_xbar", "--stimuli", "vectoradd@tiny", "--out", "c"};
  const Ended ended = wharf(folder, command);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("speed by product") && Contains("loscache+ciao/ciao_t_short"));
  CHECK_THAT(ended.output, Contains("refused: ata@28sm_xbar\n") && !Contains("ata+loscache"));  // designs that cannot run alone are omitted
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["groups"].size() == 1);
  for (const auto& row : json["groups"][0]["combinations"])
    if (!row["alone"].empty()) CHECK(row["speed_up_by_product"].get<double>() > 0.0);
  std::map<std::string, std::filesystem::file_time_type> results;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "c/runs"))
    if (entry.path().filename() == "result.json") results[entry.path().string()] = entry.last_write_time();
  CHECK(results.size() == 9);  // four designs alone, the baseline, and four pairs
  CHECK(wharf(folder, command).exit_code == 0);
  for (const auto& [path, time] : results) CHECK(std::filesystem::last_write_time(path) == time);
}

TEST_CASE("compare --combine chooses the configurations itself") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "private", "--combine"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("--combine chooses the configurations and the baseline; leave out CONFIGS and --baseline"));
}

}  // namespace
}  // namespace wharf::cli

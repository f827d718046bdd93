// The configurations of ciao from the user's view: a search compared with the published figures, time series and the map of interference.

#include <algorithm>
#include <catch2/catch.hpp>

#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

TEST_CASE("Best-SWL is found by runs, of equals with the most warps, and stands beside the published limit") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "ciao/gto", "ciao/best_swl", "--stimuli", "atax@tiny,vectoradd@tiny", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto runs = read_json(folder / "c/compare.json")["runs"];
  REQUIRE(runs.size() == 4);
  const auto& found = runs[1];
  CHECK(found["config"] == "ciao/best_swl");
  CHECK(found["published"] == "2");
  CHECK(found["run"]["ipc"].get<double>() >= runs[0]["run"]["ipc"].get<double>());  // a limit of 48 warps is GTO
  CHECK_FALSE(runs[3].contains("published"));
  CHECK_THAT(ended.output, Contains("Found by searches") && Contains(found["chosen"].get<std::string>() + " (2)"));
}

TEST_CASE("a report of ciao has the course of warps and the map of interference, and a single run the same tables") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "ciao/gto", "ciao", "--stimuli", "atax@tiny", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const std::string page = read_file(folder / "c/report.html");
  for (const char* table : {"\"warps_over_time\":[[{\"columns\":[\"thread_instructions\",", "\"interference\":[[[["}) {
    INFO(table);
    CHECK(page.find(table) != std::string::npos);
  }
  const auto tables = read_json(folder / "c/runs/ciao/atax@tiny/result.json")["tables"];
  CHECK_FALSE(tables["warps_over_time"]["rows"].empty());
  CHECK_FALSE(tables["interference"]["rows"].empty());
}

TEST_CASE("tokens of statPCAL are the published limits, by workload, and a user's own") {
  const TemporaryFolder folder;
  const auto limit = [&](const std::vector<std::string>& more, const std::string& stimulus) {
    std::vector<std::string> arguments = {"run", "ciao/statpcal", "--stimulus", stimulus, "--quiet", "--out", "r"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    const std::string config = read_file(folder / "r/config.yaml");
    const std::size_t at = config.find("swl_limit: ");
    return config.substr(at, config.find_first_of(" \n", at + 11) - at);
  };
  CHECK(limit({}, "atax@tiny") == "swl_limit: 2");
  CHECK(limit({}, "vectoradd@tiny") == "swl_limit: 48");
  CHECK(limit({"--set", "sm.swl_limit=8"}, "atax@tiny") == "swl_limit: 8");
}

TEST_CASE("windows of warps_over_time follow their key, which means nothing where nobody looks for interference") {
  const TemporaryFolder folder;
  const Ended ended =
      wharf(folder, {"run", "gpus/fermi_15sm", "--stimulus", "vectoradd@tiny", "--set", "sm.interference.window=5000", "--out", "r"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("sm.interference.window") && Contains("passive is off"));
}

}  // namespace
}  // namespace wharf::cli

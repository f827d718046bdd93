// `wharf reproduce` as a user sees it, and the project's own claims.

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "platforms/cli/claim_results.h"
#include "platforms/cli/claims.h"
#include "platforms/cli/configuration.h"
#include "platforms/cli/files.h"
#include "platforms/cli/stimuli.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

constexpr const char* kOwnClaims =
    "source: mine\n"
    "claims:\n"
    "- id: M-1\n"
    "  system: larger L1\n"
    "  metric: IPC\n"
    "  value: 3\n"
    "  unit: percent\n"
    "  tier: headline\n"
    "  measure: {system: private_16x_l1, baseline: private, metric: ipc, workloads: [vectoradd@tiny, later@tiny]}\n"
    "- id: M-2\n"
    "  system: larger L1\n"
    "  metric: L1 miss rate\n"
    "  value: 100\n"
    "  unit: percent\n"
    "  relative: false\n"
    "  direction: at_most\n"
    "  measure: {system: private, metric: l1.miss_rate, workloads: [vectoradd@tiny]}\n"
    "- {id: M-3, system: a chip, metric: area, value: 1, unit: mm2, kind: published_constant, reason: an area}\n"
    "- {id: D3-005, system: hardware, metric: area, value: 7, unit: mm2}\n";

TEST_CASE("reproduce measures a user's own claims, and says why it cannot") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kOwnClaims);
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--out", "r", "--json", "r.json"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("4 claims, 2 computed") && Contains("wrote r/results.md"));
  const auto claims = read_json(folder / "r.json")["claims"];
  REQUIRE(claims.size() == 4);
  CHECK(claims[0]["measured"].is_number());
  CHECK(claims[0]["missing"][0] == "later@tiny is not built in");
  CHECK(claims[0]["runs"].size() == 2);
  CHECK(claims[1]["sign_agrees"] == true);
  CHECK(claims[2]["reason"] == "an area");
  CHECK(claims[3]["published"] == 7.0);
  CHECK_THAT(claims[3]["reason"].get<std::string>(), Contains("synthesis"));
  CHECK_THAT(read_file(folder / "r/results.md"), Contains("wharf reproduce --claims-file own.yaml") && Contains("M-1"));
}

TEST_CASE("reproduce continues what is finished and writes the same again") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kOwnClaims);
  const std::vector<std::string> command = {"reproduce", "--claims-file", "own.yaml", "--out", "r"};
  REQUIRE(wharf(folder, command).exit_code == 0);
  const std::string report = read_file(folder / "r/results.md");
  const Ended again = wharf(folder, command);
  CHECK(again.exit_code == 0);
  CHECK(read_file(folder / "r/results.md") == report);
}

TEST_CASE("quick and tier choose claims, and claims chooses sources") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kOwnClaims);
  const auto ids = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"reproduce", "--claims-file", "own.yaml", "--out", "r", "--json", "r.json"});
    const Ended ended = wharf(folder, options);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    const auto json = read_json(folder / "r.json");
    std::vector<std::string> found;
    for (const auto& claim : json["claims"]) found.push_back(claim["id"]);
    return found;
  };
  CHECK(ids({"--quick"}) == std::vector<std::string>{"M-1"});
  CHECK(ids({"--tier", "mechanism"}) == std::vector<std::string>{"M-2", "M-3", "D3-005"});
  CHECK(ids({"--tier", "all", "--claims", "mine"}).size() == 4);
  CHECK(ids({"--claims", "M-2,M-3"}) == std::vector<std::string>{"M-2", "M-3"});
  CHECK(ids({"--metric", "ipc"}) == std::vector<std::string>{"M-1"});
  CHECK(ids({"--metric", "l1,ipc", "--claims", "mine"}) == std::vector<std::string>{"M-1", "M-2"});
  CHECK_THAT(wharf(folder, {"reproduce", "--metric", "ipcs"}).output, Contains("no claim is measured by 'ipcs'") && Contains("'ipc'"));
  CHECK_THAT(wharf(folder, {"reproduce", "--claims", "D5-1055"}).output, Contains("no claim of that id") && Contains("D5-105"));
  CHECK_THAT(wharf(folder, {"reproduce", "--tier", "main"}).output, Contains("no tier 'main'"));
  CHECK_THAT(wharf(folder, {"reproduce", "--tier", "all", "--quick"}).output, Contains("--quick stands for"));
  CHECK_THAT(wharf(folder, {"reproduce", "--claims", "ch33"}).output, Contains("no claims of a source 'ch33'"));
}

TEST_CASE("a configuration that does not exist is refused at its place in the claims file, before anything runs") {
  const TemporaryFolder folder;
  std::string text = kOwnClaims;
  text.replace(text.find("private_16x_l1"), 14, "private_17x_l1");
  folder.file("own.yaml", text);
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--out", "r"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("own.yaml:9:21: M-1: ") && Contains("private_17x_l1"));
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

std::vector<Claim> claims_of_project(const std::string& source) {
  return load_claims(project_root() / "platforms" / "claims" / (source + ".yaml"), all_suites());
}

/// And how many claims each has.
const std::map<std::string, std::size_t> kSources = {
    {"ch3_remote_sharing", 44}, {"ch4_shared_l1", 58}, {"ch5_dc_l1", 114}, {"ata", 19}, {"ciao", 71}};

TEST_CASE("the project has every claim of its sources, with a measure or the reason why there is none") {
  for (const auto& [source, claims] : kSources) {
    CHECK(claims_of_project(source).size() == claims);
    for (const Claim& claim : claims_of_project(source)) {
      INFO(claim.id);
      CHECK(claim.measures.empty() != claim.reason.empty());
      CHECK(claim.source == source);
      CHECK_FALSE(claim.where.empty());
      const bool is_constant = claim.kind == ClaimKind::published_constant || claim.kind == ClaimKind::not_reproducible;
      CHECK((!is_constant || claim.measures.empty()));
    }
  }
}

TEST_CASE("the claims of docs/howto-reproduce.md are read as they stand, and the first is measured as the project's own") {
  std::istringstream document(read_file(project_root() / "docs" / "howto-reproduce.md"));
  std::string text;
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("    source: ", 0) == 0 || (!text.empty() && line.rfind("    ", 0) == 0)) text += line.substr(4) + "\n";
  }
  const TemporaryFolder folder;
  INFO(text);
  std::vector<Claim> claims = load_claims(folder.file("claims.yaml", text), all_suites());
  REQUIRE(claims.size() == 2);
  CHECK(claims[0].measures.empty());
  CHECK(claims[1].measures.size() == 1);
  adopt_measures(claims, claims_of_project("ch5_dc_l1"));
  CHECK(claims[0].value == 10.0);
  CHECK(claims[0].measures.size() == 1);
}

std::set<std::string> metrics_of(const TemporaryFolder& folder, const std::string& config) {
  std::istringstream lines(wharf(folder, {"list", "metrics", "--config", config}).output);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find(' ')));
  return names;
}

TEST_CASE("every configuration, metric and workload that the project's claims name exists") {
  const TemporaryFolder folder;
  std::map<std::string, std::set<std::string>> metrics;
  std::set<std::string> checked;
  for (const auto& [source, claims] : kSources) {
    for (const Claim& claim : claims_of_project(source)) {
      for (const Measure& measure : claim.measures) {
        check_workloads(measure.workloads, check_stimulus);
        std::vector<std::string> wanted = measure.metric;
        wanted.insert(wanted.end(), measure.per.begin(), measure.per.end());
        for (const Machine* machine : {&measure.system, &measure.baseline, &measure.normalise}) {
          if (!machine->named()) continue;
          if (checked.insert(name_of(*machine)).second) CHECK_NOTHROW(load_configuration(machine->config, machine->overrides, ""));
          auto& known = metrics[machine->config];
          if (known.empty()) known = metrics_of(folder, machine->config);
          for (const std::string& metric : wanted) {
            INFO(claim.id << ": " << machine->config << ": " << metric);
            CHECK(known.count(metric) == 1);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace wharf::cli

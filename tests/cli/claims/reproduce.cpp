// `wharf reproduce` from the user's view, and the project's own claims.

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "model/base/files/output_files.h"
#include "platforms/cli/claims/characteristics.h"
#include "platforms/cli/claims/claim_results.h"
#include "platforms/cli/claims/claim_selection.h"
#include "platforms/cli/claims/claims.h"
#include "platforms/cli/runs/records/sqlite.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
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
  CHECK_THAT(read_file(folder / "r/results.md"), !Contains("| goal |"));  // goals concern only the project's own claims
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
  CHECK_THAT(wharf(folder, {"reproduce", "--metric", "ipcs"}).output, Contains("no claim uses 'ipcs'") && Contains("'ipc'"));
  CHECK_THAT(wharf(folder, {"reproduce", "--claims", "D5-1055"}).output,
             Contains("is neither a source nor the id of a claim") && Contains("D5-105"));
  CHECK_THAT(wharf(folder, {"reproduce", "--tier", "main"}).output, Contains("'main' is not a tier"));
  CHECK_THAT(wharf(folder, {"reproduce", "--tier", "all", "--quick"}).output, Contains("--quick includes"));
  CHECK_THAT(wharf(folder, {"reproduce", "--claims", "ch33"}).output, Contains("'ch33' is neither a source nor the id of a claim"));
}

TEST_CASE("a quick or restricted report does not take the place of the whole one, and is marked") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kOwnClaims);
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"reproduce", "--claims-file", "own.yaml", "--out", "r"});
    const Ended ended = wharf(folder, options);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
  };
  run({"--quick"});
  CHECK_FALSE(std::filesystem::exists(folder / "r/results.md"));
  CHECK_THAT(read_file(folder / "r/quick.md"), Contains("**Quick: headline claims over 2 workloads of each group"));
  run({"--workload", "vectoradd"});
  CHECK_THAT(read_file(folder / "r/results.md"), Contains("**Only these workloads: vectoradd.**") && Contains("M-1") && !Contains("M-3"));
  run({"--quick", "--report", "elsewhere.md"});
  CHECK_THAT(read_file(folder / "elsewhere.md"), Contains("**Quick: "));
  const Ended unknown = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--out", "r", "--workload", "vectorad"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.output, Contains("--workload: no claim or characteristic is about a workload 'vectorad'; did you mean 'vectoradd'?"));
}

/// Runs of three machines that take no time.
constexpr const char* kPartedClaims =
    "source: mine\nclaims:\n"
    "- id: P-1\n  system: larger L1\n  metric: IPC\n  value: 3\n  unit: percent\n  tier: headline\n"
    "  measure: {system: private_16x_l1, baseline: private, metric: ipc, workloads: [vectoradd@tiny, atax@tiny, gemm@tiny]}\n";

std::vector<std::string> parted(const std::vector<std::string>& options) {
  std::vector<std::string> command = {"reproduce", "--claims-file", "own.yaml"};
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

void run_parts(const TemporaryFolder& folder) {
  folder.file("own.yaml", kPartedClaims);
  REQUIRE(wharf(folder, parted({"--shard", "1/2", "--out", "p1"})).exit_code == 0);
  const Ended second = wharf(folder, parted({"--shard", "2/2", "--out", "p2"}));
  INFO(second.output);
  REQUIRE(second.exit_code == 0);
  CHECK_THAT(second.output,
             Contains("3 runs, ") && Contains("part 2/2 of 6") && Contains("part 2/2 is done: 3 of 6 runs have ended in p2"));
  CHECK_FALSE(std::filesystem::exists(folder / "p2/results.md"));
}

TEST_CASE("two parts, merged in any order, give the report of one run, and nothing runs again") {
  const TemporaryFolder folder;
  run_parts(folder);
  REQUIRE(wharf(folder, parted({"--out", "r", "--json", "r.json"})).exit_code == 0);
  for (const char* order : {"p1,p2", "p2,p1"}) {
    const Ended merged = wharf(folder, parted({"--merge", order, "--out", std::string("m") + order[1], "--json", "m.json"}));
    INFO(merged.output);
    REQUIRE(merged.exit_code == 0);
    CHECK_THAT(merged.output,
               Contains("p1: 3 runs") && Contains("p2: 3 runs") && Contains("0 runs, ") && Contains("6 are finished already"));
    CHECK(read_file(folder / (std::string("m") + order[1]) / "results.md") == read_file(folder / "r/results.md"));
    CHECK(read_file(folder / "m.json") == read_file(folder / "r.json"));
  }
}

TEST_CASE("a part of another program is refused with the remedy, and a record that cannot be read is made anew") {
  const TemporaryFolder folder;
  run_parts(folder);
  Sqlite(folder / "p1/runs.sqlite").run("UPDATE runs SET result = substr(result, 1, 100) WHERE rowid = 1");
  const Ended anew = wharf(folder, parted({"--merge", "p1,p2", "--out", "m"}));
  INFO(anew.output);
  CHECK(anew.exit_code == 0);
  CHECK_THAT(anew.output,
             Contains("p1: 2 runs; 1 that cannot be read is skipped") && Contains("1 run, ") && Contains("wrote m/results.md"));

  Sqlite(folder / "p2/runs.sqlite").run("UPDATE runs SET program = 'other', commit_id = 'abc'");
  const Ended other = wharf(folder, parted({"--merge", "p1,p2", "--out", "n"}));
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.output, Contains("--merge: p2: its 3 runs come from commit abc, but this program comes from ") &&
                               Contains("build abc to merge them, or run that part again with this program"));
}

TEST_CASE("what is no part is refused") {
  const TemporaryFolder folder;
  folder.file("own.yaml", kPartedClaims);
  const auto refusal = [&](const std::vector<std::string>& options) {
    const Ended ended = wharf(folder, parted(options));
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refusal({"--merge", "nowhere", "--out", "m"}),
             Contains("--merge: nowhere: has no runs.sqlite; name the --out folders of the parts"));
  std::filesystem::create_directories(folder / "p");
  write_file(folder / "p/runs.sqlite", std::string(5000, '?'));
  CHECK_THAT(refusal({"--merge", "p", "--out", "m"}), Contains("p/runs.sqlite: file is not a database"));
  CHECK_THAT(refusal({"--shard", "3/2"}), Contains("--shard: the part"));
  CHECK_THAT(refusal({"--shard", "1/2", "--merge", "p"}), Contains("--shard and --merge: --shard runs a part, --merge joins the parts"));
  CHECK_THAT(refusal({"--shard", "1/2", "--json", "r.json"}), Contains("a part has no report"));
}

bool has_entry(const std::filesystem::path& folder, const std::string& start) {
  if (!std::filesystem::exists(folder)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().rfind(start, 0) == 0) return true;
  return false;
}

TEST_CASE("a stopped reproduction says what it can, and the same command continues") {
  const TemporaryFolder folder;
  const std::string long_run = "'synthetic:loads=10,instructions=100000000'";
  folder.file("own.yaml", std::string(kPartedClaims) +
                              "- id: P-2\n  system: private\n  metric: IPC\n  value: 3\n  unit: ratio\n"
                              "  measure: {system: private, metric: ipc, workloads: [" +
                              long_run + "]}\n");
  const std::vector<std::string> command = parted({"--out", "r", "--jobs", "1"});
  Program program(folder, command);
  // One run at a time: when the long one starts, the others have their records.
  while (!program.ended() && !has_entry(folder / "r/runs/private", "synthetic")) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE_FALSE(program.ended());
  program.interrupt();
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 130);
  CHECK_THAT(ended.output, Contains("wrote r/partial.md") && Contains("the same command continues"));
  CHECK_THAT(read_file(folder / "r/partial.md"), Contains("**Partial: 1 of 2 claims") && Contains("| P-1 |") && !Contains("| P-2"));
  folder.file("own.yaml", kPartedClaims);
  CHECK_THAT(wharf(folder, command).output, Contains("0 runs, ") && Contains("6 are finished already"));
}

TEST_CASE("characteristics are of the baselines alone, and restricted ones do not take the place of the page") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"reproduce", "--characteristics", "--claims", "ch1", "--workload", "nothing", "--out", "r"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("--workload: no claim or characteristic is about a workload 'nothing'"));
  CHECK_THAT(wharf(folder, {"reproduce", "--characteristics", "--claims", "ch9", "--out", "r"}).output,
             Contains("--claims: 'ch9' is not a source that states characteristics of workloads"));
  CHECK_THAT(wharf(folder, {"reproduce", "--characteristics", "--quick", "--out", "r"}).output, Contains("give one of them"));
}

// workloads section 0.8: the quick reproduction
TEST_CASE("a quick reproduction takes the named workloads that run shortest, and of a group without named ones all may be") {
  const TemporaryFolder folder;
  const RunTimes times = RunTimes::read(folder / folder.file("t.yaml", "'a': 3\n'b': 1\n'c': 2\n'd': 1\n'gone': 0.1\n"));
  const auto available = [](const std::string& workload) { return workload != "gone"; };
  Claim named, fill_ins;
  named.measures.resize(1);
  named.measures[0].workloads = {"g", {{"a", false, {}}, {"gone", false, {}}, {"c", false, {}}, {"b", false, {}}, {"d", true, {}}}};
  fill_ins.measures.resize(1);
  fill_ins.measures[0].workloads = {"h", {{"a", true, {}}, {"b", true, {}}, {"d", true, {}}}};
  std::vector<Claim> claims = {named, fill_ins};
  keep_quick(claims, times, available);
  CHECK(claims[0].measures[0].workloads.workloads() == std::vector<std::string>{"c", "b"});
  CHECK(claims[1].measures[0].workloads.workloads() == std::vector<std::string>{"b", "d"});
}

TEST_CASE("the project's characteristics name workloads, configurations and groups that exist, each source's once") {
  std::set<std::string> sources;
  for (const SourceCharacteristics& source : project_characteristics(all_suites())) {
    INFO(source.source);
    CHECK(sources.insert(source.source).second);
    CHECK_FALSE((source.groups.empty() && source.single.empty()));
    check_workloads(source.workloads, check_stimulus);
    for (const Machine* machine : {&source.baseline, &source.larger}) {
      if (machine->named()) CHECK_NOTHROW(load_configuration(machine->config, machine->overrides, ""));
    }
  }
  CHECK(sources.size() == 9);
}

TEST_CASE("a configuration that does not exist is refused at its place in the claims file, before anything runs") {
  const TemporaryFolder folder;
  std::string text = kOwnClaims;
  text.replace(text.find("private_16x_l1"), 14, "private_17x_l1");
  folder.file("own.yaml", text);
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--out", "r"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("own.yaml:9:21: there is no configuration 'private_17x_l1'"));
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

std::vector<Claim> claims_of_project(const std::string& source) {
  std::vector<Claim> claims = project_claims(all_suites());
  keep_named(claims, {source});
  return claims;
}

/// The number of claims of each source.
const std::map<std::string, std::size_t> kSources = {
    {"ch3_remote_sharing", 44}, {"ch4_shared_l1", 61}, {"ch5_dc_l1", 118}, {"ata", 19}, {"ciao", 71}};

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

TEST_CASE("a metric that no system measures is refused before anything runs, with the claim's place") {
  const TemporaryFolder folder;
  folder.file("own.yaml",
              "source: mine\nclaims:\n- id: M-1\n  system: a\n  metric: IPC\n  unit: percent\n"
              "  measure: {system: private, baseline: private, metric: icp, per: cycls, workloads: [vectoradd@tiny]}\n");
  const Ended ended = wharf(folder, {"reproduce", "--claims-file", "own.yaml", "--out", "r"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("own.yaml:3:3: M-1: private has no metric 'icp'; did you mean 'ipc'?") && Contains("'cycls'"));
}

}  // namespace
}  // namespace wharf::cli

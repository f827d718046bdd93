// The measured figures that are stored as data, and their printed form.

#include "platforms/cli/claims/measured_figures.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "platforms/cli/claims/characteristic_report.h"
#include "platforms/cli/claims/claim_report.h"
#include "platforms/cli/claims/claim_selection.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

constexpr const char* kNothing = R"({"origins": [], "claims": {}, "characteristics": {}})";

JudgedClaim judged_claim(const std::string& id, double measured) {
  JudgedClaim judged;
  Claim& claim = judged.claim;
  claim.id = id;
  claim.source = "book";
  claim.metric = "IPC";
  claim.unit = "percent";
  claim.value = 20.0;
  claim.measures.resize(1);
  claim.measures[0].metric = {"ipc"};
  claim.measures[0].system.config = "fast";
  claim.measures[0].baseline.config = "base";
  claim.measures[0].workloads = {"duo", {{"a", false, {}}, {"b", true, {}}}};
  MeasureResult part;
  part.completed = measured;
  part.named_only = 12.0;
  part.with_merges = 13.0;
  part.in_program_order = -14.0;
  part.over_fill_ins = FillInInterval{-1.0, 30.0, true, true};
  part.agrees = measured > 0.0;
  judged.result = conclude(claim, {part}, {{"c", "is not built in"}});
  judged.origin = {"wharf reproduce", "0.1.0, commit abc"};
  return judged;
}

MeasuredFigures nothing(const TemporaryFolder& folder) { return MeasuredFigures::read(folder / folder.file("none.json", kNothing)); }

MeasuredFigures read_back(const TemporaryFolder& folder, const MeasuredFigures& figures) {
  return MeasuredFigures::read(folder / folder.file("measured.json", figures.as_json()));
}

TEST_CASE("figures that were written and read back give the same report") {
  const TemporaryFolder folder;
  const JudgedClaim first = judged_claim("X-1", 18.0), second = judged_claim("X-2", -5.0);
  MeasuredFigures figures = nothing(folder);
  figures.put(second);
  figures.put(first);
  const MeasuredFigures again = read_back(folder, figures);
  CHECK(again.as_json() == figures.as_json());
  CHECK(claims_markdown(again.judged(std::vector<Claim>{first.claim, second.claim})) == claims_markdown({first, second}));
}

TEST_CASE("new figures take the place of those of the same claim, and the others stay with what measured them") {
  const TemporaryFolder folder;
  MeasuredFigures figures = nothing(folder);
  figures.put(judged_claim("X-1", 18.0));
  figures.put(judged_claim("X-2", 18.0));
  JudgedClaim anew = judged_claim("X-2", 30.0);
  anew.origin = {"wharf reproduce --claims X-2", "0.2.0, commit def"};
  figures.put(anew);
  const std::vector<JudgedClaim> judged = read_back(folder, figures).judged(std::vector<Claim>{anew.claim, judged_claim("X-1", 0.0).claim});
  REQUIRE(judged.size() == 2);
  CHECK(judged[0].result.measured() == 30.0);
  CHECK(judged[0].origin == anew.origin);
  CHECK(judged[1].result.measured() == 18.0);
  CHECK(judged[1].origin.program == "0.1.0, commit abc");
}

TEST_CASE("new figures change the lines of their own claims alone, and what measured nothing any more is dropped") {
  const TemporaryFolder folder;
  MeasuredFigures figures = nothing(folder);
  figures.put(judged_claim("X-2", 18.0));
  figures = read_back(folder, figures);
  JudgedClaim first = judged_claim("X-1", 30.0);  // before the other in the file
  first.origin = {"wharf reproduce --claims X-1", "0.2.0, commit def"};
  figures.put(first);
  CHECK_THAT(figures.as_json(), Contains("\"X-1\": {\"by\":1,") && Contains("\"X-2\": {\"by\":0,"));
  JudgedClaim second = judged_claim("X-2", 30.0);
  second.origin = first.origin;
  figures.put(second);
  CHECK_THAT(figures.as_json(), Contains("\"X-2\": {\"by\":0,") && !Contains("commit abc"));
}

TEST_CASE("a claim that has other measures than when it was measured, and a new one, say that they were not measured") {
  const TemporaryFolder folder;
  JudgedClaim changed = judged_claim("X-1", 18.0);
  MeasuredFigures figures = nothing(folder);
  figures.put(changed);
  changed.claim.measures.resize(2);
  for (const JudgedClaim& one : figures.judged(std::vector<Claim>{changed.claim, judged_claim("X-9", 0.0).claim})) {
    CHECK_FALSE(one.result.shown);
    CHECK(one.result.reason == "has not been measured since it was written");
  }
}

TEST_CASE("the workloads of a source are judged by its present statements") {
  const TemporaryFolder folder;
  JudgedCharacteristics judged;
  judged.source.source = "book";
  judged.source.workloads = {"duo", {{"a", false, {}}, {"b", true, {}}, {"c", true, {}}}};
  WorkloadCharacteristics a, b;
  a.workload = "a";
  a.measured = {{kMissRate, 0.4}};
  a.warp_instructions = 2e6;
  b.workload = "b";
  b.why_missing = "base failed";
  judged.result = judge(judged.source, {a, b});
  MeasuredFigures figures = nothing(folder);
  figures.put(judged);
  Stated stated;
  stated.low = 0.5;
  judged.source.groups = {{"duo", "2", judged.source.workloads, {{kMissRate, stated}}, {}}};
  const auto again = read_back(folder, figures).judged(std::vector<SourceCharacteristics>{judged.source});
  REQUIRE(again.size() == 1);
  const auto& workloads = again[0].result.workloads;
  REQUIRE(workloads.size() == 3);
  CHECK(workloads[0].warp_instructions == 2e6);
  CHECK_FALSE(workloads[0].within(false));
  CHECK(workloads[1].why_missing == "base failed");
  CHECK(workloads[2].why_missing == "has not been measured since it was written");
  CHECK(again[0].result.groups[0].named_but_fail == std::vector<std::string>{"a"});
}

TEST_CASE("a file of another form is refused by its name, with what writes it") {
  const TemporaryFolder folder;
  for (const char* text :
       {"", "{", "[]", R"({"claims": {}})", R"({"origins": [], "claims": {"X-1": {"by": 3, "parts": []}}, "characteristics": {}})",
        R"({"origins": [], "claims": {"X-1": 5}, "characteristics": {}})"}) {
    INFO(text);
    const std::filesystem::path file = folder / folder.file("bad.json", text);
    CHECK_THROWS_WITH(MeasuredFigures::read(file), Contains("bad.json: ") && Contains("`wharf reproduce` writes this file"));
  }
}

TEST_CASE("the project's file is as the program writes it") {
  CHECK((MeasuredFigures::read(MeasuredFigures::project_file()).as_json() == read_file(MeasuredFigures::project_file())));
}

TEST_CASE("docs/results.md agrees with the figures measured last") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"reproduce", "--recorded", "--quiet"});
  CHECK(ended.exit_code == 0);
  INFO("write it again with: ./wharf reproduce --recorded --quiet > docs/results.md");
  CHECK((ended.output == read_file(project_root() / "docs" / "results.md")));
}

TEST_CASE("the report of the figures measured last has every claim, and the one of the workloads every workload") {
  const TemporaryFolder folder;
  const std::string claims = wharf(folder, {"reproduce", "--recorded"}).output;
  for (const Claim& claim : project_claims(all_suites())) {
    INFO(claim.id);
    CHECK(claims.find("\n| " + claim.id + " (") != std::string::npos);
  }
  CHECK_THAT(claims, !Contains("has not been measured since"));
  const std::string workloads = wharf(folder, {"reproduce", "--recorded", "--characteristics"}).output;
  for (const SourceCharacteristics& source : project_characteristics(all_suites())) {
    const std::size_t section = workloads.find("\n## " + escape_markdown(source.source) + "\n");
    REQUIRE(section != std::string::npos);
    const std::string text = workloads.substr(section, workloads.find("\n## ", section + 1) - section);
    for (const std::string& workload : source.workloads.workloads()) {
      INFO(source.source << " " << workload);
      CHECK(text.find("\n| " + escape_markdown(workload) + " ") != std::string::npos);
    }
  }
  CHECK_THAT(workloads, !Contains("not measured:"));
}

TEST_CASE("reproduce --recorded goes with a choice of claims, and not with what needs runs") {
  const TemporaryFolder folder;
  const std::string headline = wharf(folder, {"reproduce", "--recorded", "--claims", "ata", "--tier", "headline"}).output;
  CHECK_THAT(headline, Contains("| ATA-001 (") && !Contains("| ATA-016 (") && !Contains("| D5-"));
  for (const char* option : {"--quick", "--json=r.json", "--report=r.md", "--shard=1/2", "--merge=p"}) {
    const Ended ended = wharf(folder, {"reproduce", "--recorded", option});
    INFO(option);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("--recorded and --"));
  }
}

}  // namespace
}  // namespace wharf::cli

// Results of claims as a document and as data.

#include "platforms/cli/claims/claim_report.h"

#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

using Catch::Contains;

const Origin kOrigin = {"wharf reproduce --quick", "0.1.0 (program abc)"};

JudgedClaim computed() {
  JudgedClaim judged;
  judged.origin = kOrigin;
  Claim& claim = judged.claim;
  claim.id = "X-1";
  claim.source = "book";
  claim.where = "3.5";
  claim.system = "A|B";
  claim.metric = "miss rate";
  claim.unit = "percent";
  claim.value = 80.0;
  claim.direction = Direction::decrease;
  claim.tier = Tier::headline;
  Measure measure;
  measure.system = {"fast", {}, {}};
  measure.baseline = {"base", {"l1.ways=8"}, {}};
  measure.metric = {"l1.miss_rate"};
  measure.workloads = {"duo", {{"a", false, {}}, {"b", true, {}}}};
  claim.measures = {measure};
  MeasureResult part;
  part.figures = {{"a", false, 0.2, 0.5, {}}, {"b", true, 0.0, 1.0, "is not built in"}};
  part.completed = 60.0;
  part.named_only = 55.0;
  part.agrees = true;
  judged.result.parts = {part};
  judged.result.shown = 0;
  judged.result.difference = -20.0;
  judged.result.missing = {{"b", "is not built in"}};
  return judged;
}

JudgedClaim not_computed() {
  JudgedClaim judged;
  judged.claim.id = "X-2";
  judged.claim.source = "book";
  judged.claim.system = "predictor";
  judged.claim.baseline = "none";
  judged.claim.metric = "area";
  judged.claim.unit = "mm2";
  judged.claim.value = 0.058;
  judged.claim.relative = false;
  judged.claim.direction = Direction::equal;
  judged.claim.kind = ClaimKind::published_constant;
  judged.result.reason = "an area <b>";
  return judged;
}

TEST_CASE("the document gives published and measured values, sign, difference and both averages") {
  const std::string text = claims_markdown({computed(), not_computed()});
  CHECK_THAT(
      text,
      Contains(
          "Measured by wharf reproduce --quick with Wharf 0.1.0 (program abc): 2 claims, 1 computed: 1 agree in sign, 0 do not; 1 of 1 agree in size."));
  CHECK_THAT(text, Contains("| X-1 (3.5) | A\\|B: miss rate | -80 % | -60.0 % | -55.0 % | agrees | agrees | -20 points |\n"));
  CHECK_THAT(text,
             Contains("- X-1: l1.miss\\_rate of fast over base with l1.ways=8, arithmetic mean over duo. Without b (is not built in).\n"));
  CHECK_THAT(text, Contains("### Headline claims") && !Contains("### Mechanism claims"));
  CHECK_THAT(text, Contains("| X-2 | predictor: area | 0.058 mm2 | mechanism | published\\_constant | an area \\<b\\> |"));
}

TEST_CASE("a document has a section per source, and each claim is named with what measured it where several commands did") {
  JudgedClaim second = computed(), other = computed();
  second.claim.id = "X-15";
  second.origin = {"wharf reproduce --claims X-15", "0.2.0, commit def"};
  other.claim.source = "paper";
  const std::string text = claims_markdown({computed(), second, not_computed(), other});
  CHECK_THAT(text, Contains("\n## book\n\nMeasured by wharf reproduce --quick with Wharf 0.1.0 (program abc): X-1 "
                            "(1 claims, 1 computed: 1 agree in sign, 0 do not; 1 of 1 agree in size).\n\n"
                            "Measured by wharf reproduce --claims X-15 with Wharf 0.2.0, commit def: X-15 (1 claims,"));
  CHECK_THAT(text, Contains("\n## paper\n\nMeasured by wharf reproduce --quick with Wharf 0.1.0 (program abc): 1 claims, 1 computed"));
  const auto place = [&](const char* what) { return text.find(what); };
  CHECK(place("| X-1 (") < place("| X-15 ("));
  CHECK(place("| X-15 (") < place("- X-1: "));
  CHECK(place("- X-1: ") < place("| X-2 |"));
  CHECK(place("| X-2 |") < place("\n## paper"));
}

TEST_CASE("a claim of several measures shows the figure of each") {
  JudgedClaim judged = computed();
  judged.claim.measures.push_back(judged.claim.measures[0]);
  judged.result.parts.push_back(judged.result.parts[0]);
  judged.result.parts[1].completed = 10.0;
  CHECK_THAT(claims_markdown({judged}), Contains("over duo: -60.0 %; ") && Contains("over duo: -10.0 %."));
}

TEST_CASE("the document says that a claim disagrees, and that a group is named in full") {
  JudgedClaim judged = computed();
  judged.result.parts[0].agrees = false;
  judged.claim.measures[0].workloads.members[1].fill_in = false;
  CHECK_THAT(claims_markdown({judged}), Contains("| all are named | DISAGREES | DISAGREES |"));
  CHECK(claims_summary({judged}) == "1 claims, 1 computed: 0 agree in sign, 1 do not; 0 of 1 agree in size");
}

TEST_CASE("the data have the published and the measured value, sign, difference and reason") {
  const Json json = claims_json({computed(), not_computed()}, kOrigin);
  CHECK(json["command"] == "wharf reproduce --quick");
  const Json& first = json["claims"][0];
  CHECK(first["id"] == "X-1");
  CHECK(first["published"] == 80.0);
  CHECK(first["measured"] == 60.0);
  CHECK(first["measured_named_only"] == 55.0);
  CHECK(first["partly_named"] == true);
  CHECK(first["sign_agrees"] == true);
  CHECK(first["size_agrees"] == true);
  CHECK(first["difference"] == -20.0);
  CHECK(first["reason"] == "");
  CHECK(first["unit"] == "percent");
  CHECK(first["tier"] == "headline");
  CHECK(first["kind"] == "simulated");
  CHECK(first["direction"] == "decrease");
  CHECK(first["runs"] == Json({"base with l1.ways=8 a", "fast a"}));
  CHECK(first["parts"][0]["workloads"][0] == Json({{"workload", "a"}, {"fill_in", false}, {"system", 0.2}, {"baseline", 0.5}}));
  CHECK(first["parts"][0]["workloads"][1]["missing"] == "is not built in");
  const Json& second = json["claims"][1];
  CHECK(second["measured"].is_null());
  CHECK(second["sign_agrees"].is_null());
  CHECK(second["difference"].is_null());
  CHECK(second["reason"] == "an area <b>");
}

TEST_CASE("a miss rate stands there without merges and with them") {
  JudgedClaim judged = computed();
  judged.result.parts[0].with_merges = 40.0;
  CHECK_THAT(claims_markdown({judged}), Contains("| -60.0 % (-40.0 % with merges) | -55.0 % |"));
  CHECK(claims_json({judged}, kOrigin)["claims"][0]["measured_with_merges"] == 40.0);
}

TEST_CASE(
    "a claim that fill-ins cannot test says how many members are named and which figures they allow, and one that they leave undecided does not agree") {
  JudgedClaim judged = computed();
  judged.result.parts[0].over_fill_ins = FillInInterval{-3.0, 61.0, true, true};
  const std::string text = claims_markdown({judged});
  CHECK_THAT(
      text,
      Contains(
          "| -60.0 % | -55.0 % | UNDECIDED; cannot be tested: 1 of 2 named, -61.0 % to +3.0 % | agrees |"));  // a decrease: 61 counts as -61 %
  CHECK_THAT(text, Contains("1 claims, 1 computed: 0 agree in sign, 0 do not, 1 undecided; 1 of 1 agree in size."));
  CHECK_THAT(text, Contains("| 1 of 1 (100 %) | 0 of 1 (0 %) |"));
  const Json json = claims_json({judged}, kOrigin)["claims"][0];
  CHECK(json["sign_agrees"].is_null());
  CHECK(json["over_fill_ins"] == Json({{"low", -3.0}, {"high", 61.0}}));

  judged.result.parts[0].over_fill_ins = FillInInterval{3.0, 61.0, true, false};
  const std::string decided = claims_markdown({judged});
  CHECK_THAT(decided, Contains("| agrees; cannot be tested: 1 of 2 named, -61.0 % to -3.0 % | agrees |") &&
                          Contains("| 1 of 1 (100 %) | 1 of 1 (100 %) |"));
}

TEST_CASE("both orders of loads stand in the table") {
  JudgedClaim judged = computed();
  judged.result.parts[0].in_program_order = -12.5;
  CHECK_THAT(claims_markdown({judged}), Contains("| -60.0 % (+12.5 % in program order) | -55.0 % | agrees |"));
  CHECK(claims_json({judged}, kOrigin)["claims"][0]["measured_in_program_order"] == -12.5);
}

TEST_CASE("a limit of instructions stands with the claim") {
  JudgedClaim judged = computed();
  judged.claim.measures[0].limit_warp_instructions = 20'000'000;
  CHECK_THAT(claims_markdown({judged}), Contains("each run up to 20,000,000 warp instructions, arithmetic mean over duo"));
  CHECK(claims_json({judged}, kOrigin)["claims"][0]["parts"][0]["limit_warp_instructions"] == 20'000'000);
}

TEST_CASE("a quick document says so at its head, and so do the data") {
  const std::string mark = "Quick: two workloads of each group.";
  CHECK_THAT(claims_markdown({computed()}, {false, mark}), Contains("\n\n**Quick: two workloads of each group.**\n\n"));
  CHECK(claims_json({computed()}, kOrigin, mark)["mark"] == "Quick: two workloads of each group.");
}

/// A source whose design has its published figure in X-1.
JudgedCharacteristics compared_book() {
  JudgedCharacteristics judged;
  judged.source.source = "book";
  judged.source.compared = ComparedDesign{"swift", "X-1", "docs/rules/swift.md", "", {"a"}, {}};
  return judged;
}

TEST_CASE("the page of results has the claim of each design, and the counts of all claims") {
  const std::string text = results_page({computed(), not_computed()}, {compared_book()});
  CHECK_THAT(text, Contains("the figures of all 2 claims"));
  CHECK_THAT(text, Contains("| [swift](rules/swift.md) | X-1 | A\\|B: miss rate | -80 % | -60.0 % | agrees | agrees |\n"));
  CHECK_THAT(text, Contains("| book | 0.1.0 (program abc) | 1 of 1 (100 %) | 1 of 1 (100 %) | 1 of 1 (100 %) | 0 of 1 (0 %) | - | - |"));
  CHECK_THAT(text, Contains("0 of 0 named workloads with published characteristics lie within them") && !Contains("Measured as:"));
}

TEST_CASE("nothing in a name is taken for markup") {
  CHECK(escape_markdown("a|b *c* _d_ `e` [f](g) <h> #i ~j & \\") == "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g) \\<h\\> \\#i \\~j \\& \\\\");
  CHECK(escape_markdown("two\nlines\tand a tab") == "two lines and a tab");
}

TEST_CASE("a published value reads as its claim means it") {
  Claim claim;
  claim.unit = "percent";
  claim.value = 21.0;
  const auto text = [&](Direction direction) {
    claim.direction = direction;
    return published_text(claim);
  };
  CHECK(text(Direction::increase) == "+21 %");
  CHECK(text(Direction::decrease) == "-21 %");
  CHECK(text(Direction::equal) == "21 %");
  CHECK(text(Direction::about) == "about 21 %");
  CHECK(text(Direction::at_most) == "at most 21 %");
  CHECK(text(Direction::at_least) == "at least 21 %");
  CHECK(text(Direction::within) == "within 21 %");
  claim.relative = false;
  CHECK(text(Direction::increase) == "at least 21 %");
  CHECK(text(Direction::decrease) == "at most 21 %");
  claim.unit = "ratio";
  claim.relative = true;
  CHECK(text(Direction::increase) == "21 x");
  claim.unit = "ordering";
  claim.value.reset();
  CHECK(text(Direction::increase) == "more");
  CHECK(text(Direction::decrease) == "less");
}

}  // namespace
}  // namespace wharf::cli

// Results of claims as a document and as data.

#include "platforms/cli/claims/claim_report.h"

#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

using Catch::Contains;

JudgedClaim computed() {
  JudgedClaim judged;
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

const Provenance kProvenance = {"wharf reproduce --quick", "0.1.0 (program abc)"};

TEST_CASE("the document gives published and measured values, sign, difference and both averages") {
  const std::string text = claims_markdown({computed(), not_computed()}, kProvenance);
  CHECK_THAT(text, Contains("Measured by wharf reproduce --quick with Wharf 0.1.0 (program abc): 2 claims, 1 computed: 1 agree in sign, 0 do not; 1 of 1 agree in size."));
  CHECK_THAT(text, Contains("| X-1 (3.5) | A\\|B: miss rate | -80 % | -60.0 % | -55.0 % | agrees | agrees | -20 points |\n"));
  CHECK_THAT(text,
             Contains("- X-1: l1.miss\\_rate of fast over base with l1.ways=8, arithmetic mean over duo. Without b (is not built in).\n"));
  CHECK_THAT(text, Contains("### Headline claims") && !Contains("### Mechanism claims"));
  CHECK_THAT(text, Contains("| X-2 | predictor: area | 0.058 mm2 | mechanism | published\\_constant | an area \\<b\\> |"));
}

TEST_CASE("a document keeps the sections of sources that are not measured anew, in their place") {
  JudgedClaim first = computed(), last = computed();
  first.claim.source = "a_first";
  last.claim.source = "z_last";
  const std::string earlier = claims_markdown({first, computed(), last}, kProvenance);
  const std::string anew = claims_markdown({computed()}, {"wharf reproduce --claims book", "0.2.0"}, earlier);
  std::string expected = earlier;
  const std::string old_line = "Measured by wharf reproduce --quick with Wharf 0.1.0 (program abc)";
  const std::size_t at = expected.find(old_line, expected.find("\n## book\n"));
  expected.replace(at, old_line.size(), "Measured by wharf reproduce --claims book with Wharf 0.2.0");
  CHECK(anew == expected);
  CHECK(claims_markdown({first, computed(), last}, kProvenance, anew) == earlier);
  CHECK_THAT(claims_markdown({computed()}, kProvenance), !Contains("## a\\_first"));
}

TEST_CASE("claims measured anew take the place of what they were, and the others stay as they are") {
  JudgedClaim second = computed(), third = not_computed();
  second.claim.id = "X-15";
  third.claim.id = "X-3";
  const std::string earlier = claims_markdown({computed(), second, not_computed(), third}, kProvenance);
  JudgedClaim anew = second;
  anew.result.parts[0].completed = 70.0;
  third = computed();  // for which there was no figure
  third.claim.id = "X-3";
  const Provenance later = {"wharf reproduce --claims X-15,X-3", "0.2.0", false};
  const std::string text = claims_markdown({anew, third}, later, earlier);
  CHECK_THAT(text, Contains("(program abc): 4 claims, 2 computed: 2 agree in sign, 0 do not; 2 of 2 agree in size.\n\n"
                            "Measured anew by wharf reproduce --claims X-15,X-3 with Wharf 0.2.0: X-15, X-3 "
                            "(2 claims, 2 computed: 2 agree in sign, 0 do not; 2 of 2 agree in size).\n"));
  CHECK_THAT(text, Contains("| X-15 (3.5) | A\\|B: miss rate | -80 % | -70.0 %") && !Contains("| X-3 | predictor"));
  const auto place = [&](const char* what) { return text.find(what); };
  CHECK(place("| X-1 (") < place("| X-15 ("));
  CHECK(place("| X-15 (") < place("| X-3 ("));
  CHECK(place("- X-1: ") < place("- X-3: "));
  CHECK(place("- X-3: ") < place("| X-2 |"));
  CHECK(claims_markdown({anew, third}, later, text) == text);
  CHECK(claims_markdown({anew}, {"wharf reproduce --claims X-15", "0.3.0", false}, text).find("0.2.0") != std::string::npos);
  CHECK(claims_markdown({computed(), second, not_computed()}, kProvenance, text).find("X-3") == std::string::npos);
}

TEST_CASE("a section all of whose claims were measured anew names the first measurement no more") {
  JudgedClaim second = computed();
  second.claim.id = "X-15";
  const std::string earlier = claims_markdown({computed(), second}, kProvenance);
  const std::string half = claims_markdown({second}, {"wharf reproduce --claims X-15", "0.2.0", false}, earlier);
  CHECK_THAT(half, Contains("(program abc)"));
  const std::string whole = claims_markdown({computed()}, {"wharf reproduce --claims X-1", "0.2.0", false}, half);
  CHECK_THAT(whole, !Contains("(program abc)") && Contains("--claims X-15 with") && Contains("--claims X-1 with"));
}

TEST_CASE("a claim of several measures shows the figure of each") {
  JudgedClaim judged = computed();
  judged.claim.measures.push_back(judged.claim.measures[0]);
  judged.result.parts.push_back(judged.result.parts[0]);
  judged.result.parts[1].completed = 10.0;
  CHECK_THAT(claims_markdown({judged}, kProvenance), Contains("over duo: -60.0 %; ") && Contains("over duo: -10.0 %."));
}

TEST_CASE("the document says that a claim disagrees, and that a group is named in full") {
  JudgedClaim judged = computed();
  judged.result.parts[0].agrees = false;
  judged.claim.measures[0].workloads.members[1].fill_in = false;
  CHECK_THAT(claims_markdown({judged}, kProvenance), Contains("| all are named | DISAGREES | DISAGREES |"));
  CHECK(claims_summary({judged}) == "1 claims, 1 computed: 0 agree in sign, 1 do not; 0 of 1 agree in size");
}

TEST_CASE("the data have the published and the measured value, sign, difference and reason") {
  const Json json = claims_json({computed(), not_computed()}, kProvenance);
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
  CHECK_THAT(claims_markdown({judged}, kProvenance), Contains("| -60.0 % (-40.0 % with merges) | -55.0 % |"));
  CHECK(claims_json({judged}, kProvenance)["claims"][0]["measured_with_merges"] == 40.0);
}

TEST_CASE("a claim that fill-ins cannot test says how many members are named and which figures they allow, and one that they leave undecided does not agree") {
  JudgedClaim judged = computed();
  judged.result.parts[0].over_fill_ins = FillInInterval{-3.0, 61.0, true, true};
  const std::string text = claims_markdown({judged}, kProvenance);
  CHECK_THAT(text, Contains("| -60.0 % | -55.0 % | UNDECIDED; cannot be tested: 1 of 2 named, -61.0 % to +3.0 % | agrees |"));  // a decrease: 61 counts as -61 %
  CHECK_THAT(text, Contains("1 claims, 1 computed: 0 agree in sign, 0 do not, 1 undecided; 1 of 1 agree in size."));
  CHECK_THAT(text, Contains("| 1 of 1 (100 %) | 0 of 1 (0 %) |"));
  const Json json = claims_json({judged}, kProvenance)["claims"][0];
  CHECK(json["sign_agrees"].is_null());
  CHECK(json["over_fill_ins"] == Json({{"low", -3.0}, {"high", 61.0}}));

  judged.result.parts[0].over_fill_ins = FillInInterval{3.0, 61.0, true, false};
  const std::string decided = claims_markdown({judged}, kProvenance);
  CHECK_THAT(decided, Contains("| agrees; cannot be tested: 1 of 2 named, -61.0 % to -3.0 % | agrees |") && Contains("| 1 of 1 (100 %) | 1 of 1 (100 %) |"));
}

TEST_CASE("both orders of loads stand in the table") {
  JudgedClaim judged = computed();
  judged.result.parts[0].in_program_order = -12.5;
  CHECK_THAT(claims_markdown({judged}, kProvenance), Contains("| -60.0 % (+12.5 % in program order) | -55.0 % | agrees |"));
  CHECK(claims_json({judged}, kProvenance)["claims"][0]["measured_in_program_order"] == -12.5);
}

TEST_CASE("a limit of instructions stands with the claim") {
  JudgedClaim judged = computed();
  judged.claim.measures[0].limit_warp_instructions = 20'000'000;
  CHECK_THAT(claims_markdown({judged}, kProvenance), Contains("each run up to 20,000,000 warp instructions, arithmetic mean over duo"));
  CHECK(claims_json({judged}, kProvenance)["claims"][0]["parts"][0]["limit_warp_instructions"] == 20'000'000);
}

TEST_CASE("a quick document says so at its head, and so do the data") {
  const Provenance quick = {"wharf reproduce --quick", "0.1.0", false, false, "Quick: two workloads of each group."};
  CHECK_THAT(claims_markdown({computed()}, quick), Contains("\n\n**Quick: two workloads of each group.**\n\n"));
  CHECK(claims_json({computed()}, quick)["mark"] == "Quick: two workloads of each group.");
}

TEST_CASE("a section with tables of another form is left out rather than mixed with new rows") {
  std::string earlier = claims_markdown({computed()}, kProvenance);
  const std::string column = " sign | size |";
  earlier.replace(earlier.find(column, earlier.find("\n## ")), column.size(), " sign |");
  JudgedClaim other = computed();
  other.claim.source = "paper";
  CHECK_THAT(claims_markdown({other}, kProvenance, earlier), Contains("## paper") && !Contains("## book"));
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

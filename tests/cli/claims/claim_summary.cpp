// The number of claims that are computed and that agree, and the commit that measured them.

#include "platforms/cli/claims/claim_summary.h"

#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

using Catch::Contains;

/// The published speed-up is 20 %.
JudgedClaim judged_claim(const std::string& source, const std::string& commit, Tier tier, double measured, bool sized) {
  JudgedClaim judged;
  judged.claim.source = source;
  judged.claim.tier = tier;
  judged.claim.unit = sized ? "percent" : "ordering";
  if (sized) judged.claim.value = 20.0;
  judged.claim.measures.resize(1);
  judged.origin = {"wharf reproduce", "0.1.0, commit " + commit};
  MeasureResult part;
  part.completed = measured;
  part.agrees = measured > 0.0;
  judged.result = conclude(judged.claim, {part}, {});
  return judged;
}

/// Two headline claims that agree (one of them also in size), a mechanism that disagrees, and a headline claim without a figure.
std::vector<JudgedClaim> claims_of(const std::string& source, const std::string& commit) {
  JudgedClaim none;
  none.claim.source = source;
  none.claim.tier = Tier::headline;
  none.result.reason = "an area";
  return {judged_claim(source, commit, Tier::headline, 25.0, true), judged_claim(source, commit, Tier::headline, 70.0, true),
          judged_claim(source, commit, Tier::mechanism, -3.0, false), none};
}

std::vector<JudgedClaim> both(std::vector<JudgedClaim> one, const std::vector<JudgedClaim>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

TEST_CASE("claims are counted by source and tier") {
  const auto counts = counts_of(claims_of("one", "abc"));
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].source == "one");
  CHECK(counts[0].headline.claims == 3);
  CHECK(counts[0].headline.computed == 2);
  CHECK(counts[0].headline.agree_in_sign == 2);
  CHECK(counts[0].headline.sized == 2);
  CHECK(counts[0].headline.agree_in_size == 1);
  CHECK(counts[0].mechanism.computed == 1);
  CHECK(counts[0].mechanism.agree_in_sign == 0);
  CHECK(counts[0].mechanism.sized == 0);
}

TEST_CASE("the summary ends with the sums of all sources") {
  const std::vector<JudgedClaim> claims = both(claims_of("one", "abc"), claims_of("two", "abc"));
  const std::string text = summary_markdown(claims);
  CHECK_THAT(text, Contains("| one | abc | 2 of 3 (67 %) | 2 of 2 (100 %) | 1 of 2 (50 %) | 1 of 1 (100 %) | 0 of 1 (0 %) | - |"));
  CHECK_THAT(text, Contains("| all |  | 4 of 6 (67 %) | 4 of 4 (100 %) | 2 of 4 (50 %) |"));
  CHECK(summary_json(claims, WithinRange{10, 8, 9})["characteristics"] == Json({{"within", 8}, {"named", 10}}));
  CHECK_FALSE(summary_json(claims, std::nullopt).contains("characteristics"));
  CHECK(summary_json(claims_of("ch9_new", "abc"), std::nullopt)["sources"][0]["source"] == "ch9_new");
}

TEST_CASE("figures of different commits, and of a program with changes, are marked") {
  const auto note = [](const std::vector<JudgedClaim>& claims) { return commits_note(origins_of(claims)); };
  CHECK(commit_of({"wharf reproduce", "0.1.0, commit abc"}) == "abc");
  CHECK(note(both(claims_of("one", "abc"), claims_of("two", "abc"))).empty());
  CHECK_THAT(note(both(claims_of("one", "abc"), claims_of("two", "def"))),
             Contains("The sections were measured with different commits:** one of abc, two of def."));
  CHECK_THAT(note(both(claims_of("one", "abc"), claims_of("one", "def"))), Contains("one of abc, def."));
  CHECK_THAT(note(claims_of("one", "abc+changes")), Contains("The program had uncommitted changes"));
}

}  // namespace
}  // namespace wharf::cli

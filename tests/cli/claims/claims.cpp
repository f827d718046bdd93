// The form of claims files: accepted contents, and refusals with their place.

#include "platforms/cli/claims/claims.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const std::vector<Suite> kSuites = {{"duo", {{"gemm@tiny", false, {}}, {"atax@tiny", true, {}}}}};

std::vector<Claim> claims_of(const std::string& text) {
  const TemporaryFolder folder;
  return load_claims(folder.file("c.yaml", text), kSuites);
}

std::string refusal_of(const std::string& text) {
  try {
    claims_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A claims file with one claim, which has these lines in addition to the facts.
std::string with(const std::string& lines, const std::string& unit = "percent") {
  return "source: book\nsystems: {fast: {config: private, set: [l1.ways=8]}}\nclaims:\n- id: X-1\n  system: a\n  metric: IPC\n  unit: " +
         unit + "\n" + lines;
}

TEST_CASE("a claim is read with its facts, and what it leaves out has the usual meaning") {
  const auto claims = claims_of(with("  value: 21\n  where: 3.5\n"));
  REQUIRE(claims.size() == 1);
  const Claim& claim = claims[0];
  CHECK(claim.id == "X-1");
  CHECK(claim.source == "book");
  CHECK(claim.where == "3.5");
  CHECK(claim.value == 21.0);
  CHECK(claim.relative);
  CHECK(claim.direction == Direction::increase);
  CHECK(claim.tier == Tier::mechanism);
  CHECK(claim.kind == ClaimKind::simulated);
  CHECK(claim.measures.empty());
}

TEST_CASE("an unknown unit and a negative tolerance are refused where they stand") {
  CHECK_THAT(refusal_of(with("", "percnt")), Contains("c.yaml:7:9: X-1: unit is 'percnt'; did you mean 'percent'?"));
  CHECK_THAT(refusal_of(with("", "furlongs")), Contains("c.yaml:7:9: X-1: unit is 'furlongs'; write one of ") && Contains("GB/s"));
  CHECK_THAT(refusal_of(with("  tolerance: -1\n")), Contains("c.yaml:8:14: X-1: tolerance is negative; write how far"));
  CHECK(claims_of(with("  tolerance: 0\n"))[0].tolerance == 0.0);
}

TEST_CASE("a change may be one of a part: of another metric, or of a number") {
  const std::string start = "  measure: {system: fast, baseline: private, metric: energy.l2, group: duo, ";
  CHECK(claims_of(with(start + "part: energy.total}\n"))[0].measures.at(0).part == "energy.total");
  CHECK(claims_of(with(start + "part: 0.08}\n"))[0].measures.at(0).fixed_part == 0.08);
  CHECK_THAT(refusal_of(with(start + "part: 1.5}\n")), Contains("c.yaml:8:") && Contains("part must be a metric, or a number up to 1"));
  CHECK_THAT(refusal_of(with(start + "part: 0.08, per: cycles}\n")), Contains("part weighs the change from a baseline"));
  CHECK_THAT(refusal_of(with("  measure: {system: fast, metric: energy.l2, group: duo, part: 0.08}\n", "ratio")),
             Contains("part weighs the change from a baseline"));
}

TEST_CASE("a measure names systems, metric and workloads, or a list of measures does") {
  const auto measure = claims_of(with("  measure: {system: fast, baseline: private, metric: ipc, group: duo}\n"))[0].measures.at(0);
  CHECK(measure.system.config == "private");
  CHECK(measure.system.overrides == std::vector<std::string>{"l1.ways=8"});
  CHECK(measure.baseline.config == "private");
  CHECK(measure.baseline.overrides.empty());
  CHECK_FALSE(measure.normalise.named());
  CHECK(measure.metric == std::vector<std::string>{"ipc"});
  CHECK(measure.reduce == Reduce::mean);
  CHECK(measure.workloads.partly_named());

  const auto two =
      claims_of(with("  measure:\n"
                     "  - {system: fast, baseline: private, metric: [a, b], per: c, workloads: [bfs], reduce: max}\n"
                     "  - {system: fast, baseline: private, metric: ipc, group: duo, without: [atax@tiny]}\n"))[0]
          .measures;
  REQUIRE(two.size() == 2);
  CHECK(two[0].metric == std::vector<std::string>{"a", "b"});
  CHECK(two[0].per == std::vector<std::string>{"c"});
  CHECK(two[0].reduce == Reduce::max);
  CHECK(two[1].workloads.workloads() == std::vector<std::string>{"gemm@tiny"});
}

TEST_CASE("a measure's limit of warp instructions becomes part of each of its workloads") {
  const std::string start = "  measure: {system: fast, baseline: private, metric: ipc, ";
  const Measure group = claims_of(with(start + "group: duo, without: [atax@tiny], limit_warp_instructions: 2000}\n"))[0].measures.at(0);
  CHECK(group.limit_warp_instructions == 2000u);
  CHECK(group.workloads.workloads() == std::vector<std::string>{"gemm@tiny:limit_warp_instructions=2000"});
  CHECK(group.workloads.members[0].fill_in == false);
  const Measure bare = claims_of(with(start + "workloads: [bfs, \"bfs:nodes=64\"], limit_warp_instructions: 9}\n"))[0].measures.at(0);
  CHECK(bare.workloads.workloads() ==
        std::vector<std::string>{"bfs@std:limit_warp_instructions=9", "bfs:nodes=64,limit_warp_instructions=9"});

  CHECK_THAT(refusal_of(with(start + "group: duo, limit_warp_instructions: 0}\n")),
             Contains("c.yaml:8:") && Contains("limit_warp_instructions"));
  CHECK_THAT(refusal_of(with(start + "group: duo, limit_warp_instructions: many}\n")), Contains("limit_warp_instructions"));
  CHECK_THAT(refusal_of(with(start + "workloads: [\"bfs@tiny:limit_warp_instructions=5\"], limit_warp_instructions: 9}\n")),
             Contains("c.yaml:8:") && Contains("has a limit of its own; keep one"));
}

const std::vector<Suite> kSorted = {
    {"small", {{"a", false, {}}, {"b", true, {}}, {"c", true, {}}, {"d", true, {}}}},
    {"all", {{"e", true, {}}, {"a", false, {}}, {"b", true, {}}, {"c", true, {}}, {"d", true, {}}}},
    {"known", {{"e", false, {}}, {"f", false, {}}, {"g", false, {}}, {"a", false, {}}, {"b", true, {}}, {"c", true, {}}, {"d", true, {}}}}};

TEST_CASE("fill-ins of a group that is sorted by effect are to be chosen, where most members of the measure are unnamed") {
  const TemporaryFolder folder;
  const auto choice = [&](const std::string& group) {
    const std::string text =
        "source: book\nsorted_by_effect:\n- {group: small, size: 3}\nclaims:\n- id: X\n  system: a\n  metric: IPC\n  unit: percent\n"
        "  measure: {system: ata, baseline: private, metric: ipc, " +
        group + "}\n";
    return load_claims(folder.file("c.yaml", text), kSorted).at(0).measures.at(0).fill_ins;
  };
  CHECK(choice("group: small").from == std::vector<std::string>{"b", "c", "d"});
  CHECK(choice("group: small").size == 2);  // one of three members is named
  CHECK(choice("group: all").size == 2);    // the group is a part of it
  CHECK(choice("group: known").size == 0);  // four of seven are named
  CHECK(choice("group: small, without: [b]").size == 0);
  CHECK(choice("workloads: [b, c, d]").size == 0);  // a list has no fill-ins
}

TEST_CASE("a group that is sorted by effect has a size between its named members and all of them") {
  const auto refusal = [](const std::string& group) {
    const TemporaryFolder folder;
    try {
      load_claims(folder.file("c.yaml", "source: book\nsorted_by_effect:\n- " + group + "\nclaims: []\n"), kSorted);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal("{group: small, size: 4}") == "accepted");
  const std::string rule = "c.yaml:3:3: sorted_by_effect: size is the number of the source's members: 2 to 4, of which 1 are named";
  CHECK_THAT(refusal("{group: small, size: 1}"), Contains(rule));
  CHECK_THAT(refusal("{group: small, size: 5}"), Contains(rule));
  CHECK_THAT(refusal("{group: small}"), Contains(rule));
  CHECK_THAT(refusal("{group: smal, size: 3}"), Contains("unknown group 'smal'"));
  CHECK_THAT(refusal("{group: small, size: 3, of: x}"), Contains("unknown key 'of'"));
}

TEST_CASE("a value of null is an ordering") {
  CHECK_FALSE(claims_of(with("  value: null\n", "ordering"))[0].value.has_value());
  CHECK_FALSE(claims_of(with("", "ordering"))[0].value.has_value());
}

TEST_CASE("every mistake of a claims file has its place") {
  CHECK_THAT(refusal_of(with("  direktion: increase\n")), Contains("c.yaml:8:3: X-1: unknown key 'direktion'; did you mean 'direction'?"));
  CHECK_THAT(refusal_of(with("  direction: up\n")), Contains("c.yaml:8:14: X-1: direction is 'up'; write one of increase, decrease,"));
  CHECK_THAT(refusal_of(with("  tier: headlin\n")), Contains(":8:9: X-1: tier is 'headlin'; did you mean 'headline'?"));
  CHECK_THAT(refusal_of(with("  value: many\n")), Contains(":8:10: X-1: value"));
  CHECK_THAT(refusal_of(with("  relative: yes\n")), Contains(":8:13: X-1: relative"));
  CHECK_THAT(refusal_of(with("  kind: wrong\n")), Contains(":8:9: X-1: kind is 'wrong'; write one of simulated, cost_model,"));
  CHECK_THAT(refusal_of("source: s\nclaims:\n- id: A\n"), Contains(":3:3: A: has no system"));
  CHECK_THAT(refusal_of("claims:\n- {id: A, system: a, metric: b, unit: percent}\n"), Contains(":2:3: A: has no source"));
  CHECK_THAT(refusal_of("source: s\nclaims: []\nclaim: []\n"), Contains(":3:1: claims file: unknown key 'claim'; did you mean 'claims'?"));
  CHECK_THAT(refusal_of("source: s\n"), Contains(":1:1: claims file: needs `claims:`"));
  CHECK_THAT(refusal_of("source: s\nclaims: 4\n"), Contains(":2:9: claims file: needs `claims:`"));
  CHECK_THAT(refusal_of("source: s\nclaims: [4]\n"), Contains(":2:10: claim: must be a mapping, not '4'"));
  CHECK_THAT(
      refusal_of("source: s\nclaims:\n- {id: A, system: a, metric: b, unit: percent}\n- {id: A, system: a, metric: b, unit: percent}\n"),
      Contains(":4:3: A: two claims have this id"));
  CHECK_THAT(refusal_of("source: s\nsystems: {a: {set: [b=1]}}\nclaims: []\n"), Contains(":2:14: a: has no config"));
  CHECK_THAT(refusal_of("- a\n"), Contains(":1:1"));
  CHECK_THROWS_AS(load_claims("/nonexistent/claims.yaml", kSuites), InputError);
}

TEST_CASE("every mistake of a measure has its place") {
  const auto refused = [](const std::string& measure) { return refusal_of(with("  measure: " + measure + "\n")); };
  CHECK_THAT(refused("{system: fast, metric: ipc, group: duo}"), Contains(":8:12: X-1: measure: has no baseline"));
  CHECK_THAT(
      refusal_of(with("  measure: {system: fast, metric: ipc, group: duo, reduce: share_of_kernels}\n", "ratio")),
      Contains(":8:12: X-1: measure: share_of_kernels counts kernels with more than in the baseline, but the claim has no baseline"));
  for (const char* course : {"[0.5, 0.25]", "[0, 2]", "[0]", "0.5"}) {
    INFO(course);
    CHECK_THAT(refused(std::string("{system: fast, baseline: private, metric: ipc, group: duo, course: ") + course + "}"),
               Contains("X-1: measure: course must be two shares of a run's thread instructions, such as [0, 0.5]"));
  }
  CHECK_THAT(refused("{system: fast, baseline: private, metric: cycles, group: duo, course: [0, 0.5]}"),
             Contains("X-1: measure: course works only with ipc or vta.hits"));
  CHECK_THAT(refused("{system: fast, baseline: private, group: duo}"), Contains(":8:12: X-1: measure: has no metric"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: ipc}"), Contains(":8:12: X-1: measure: needs either group"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: ipc, group: duo, workloads: [bfs]}"), Contains("needs either group"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: ipc, group: duos}"),
             Contains(":8:66: X-1: measure: unknown suite 'duos'; did you mean 'duo'?"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: ipc, group: duo, without: [bfs]}"),
             Contains(":8:81: X-1: measure: without names 'bfs', which is not in duo"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: ipc, group: duo, reduce: average}"),
             Contains("reduce is 'average'; write one of mean, geometric_mean,"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: [[a]], group: duo}"), Contains("metric: a name is expected, not a list"));
  CHECK_THAT(refused("{system: fast, baseline: private, metric: ipc, workloads: bfs}"), Contains("workloads must be a list"));
  CHECK_THAT(refused("fast"), Contains(":8:12: X-1: measure: must be a mapping, not 'fast'"));
  CHECK_THAT(refusal_of(with("  reason: none\n  measure: {system: fast, baseline: private, metric: ipc, group: duo}\n")),
             Contains(":9:12: X-1: has both a measure and a reason"));
}

TEST_CASE("a claim without a measure takes that of the known claim with its id, and keeps its own facts") {
  const auto known =
      claims_of(with("  value: 21\n  tolerance: 2\n  measure: {system: fast, baseline: private, metric: ipc, group: duo}\n"));
  auto own = claims_of(
      "source: mine\nclaims:\n- {id: X-1, system: a, metric: IPC, unit: percent, value: 25}\n"
      "- {id: X-2, system: a, metric: IPC, unit: percent, value: 1}\n"
      "- {id: X-3, system: a, metric: area, unit: mm2, value: 1, reason: an area}\n");
  adopt_measures(own, known);
  CHECK(own[0].value == 25.0);
  CHECK(own[0].source == "mine");
  CHECK(own[0].tolerance == 2.0);
  CHECK(own[0].measures.size() == 1);
  CHECK(own[1].measures.empty());
  CHECK_THAT(own[1].reason, Contains("no claim of this project has its id"));
  CHECK(own[2].reason == "an area");
}

}  // namespace
}  // namespace wharf::cli

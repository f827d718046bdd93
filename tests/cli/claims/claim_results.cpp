// The verdicts on claims, with exact numbers.

#include "platforms/cli/claims/claim_results.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/cli/claims/claim_records.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

TEST_CASE("runs that their limit ended did equal work where they issued as many warp instructions, whatever lanes these had") {
  const auto figures = [](bool cut, int warps) {
    Records records;
    records.add("base a", {{"ipc", 10}, {"warp_instructions", 1000}, {"thread_instructions", 20'000}});
    records.add("fast a", {{"ipc", 20}, {"warp_instructions", warps}, {"thread_instructions", 25'000}});
    records.result_of("fast a")["reached_limit"] = cut;
    Claim one = claim();
    one.measures[0].workloads = group({"a"});
    return evaluate(one, records.look_up());
  };
  CHECK(figures(true, 1009).measured() == 100.0);
  CHECK_THAT(figures(true, 1011).reason, Contains("system and baseline issued different numbers of instructions"));
  CHECK_THAT(figures(false, 1000).reason, Contains("system and baseline issued different numbers of instructions"));
}

TEST_CASE("a size agrees within 10 points or a quarter of the published change, and only where the sign does") {
  const auto agrees = [](double measured, double published, Direction direction = Direction::increase,
                         const std::string& unit = "percent") {
    Claim one = claim();
    one.value = published;
    one.direction = direction;
    one.unit = unit;
    ClaimResult result;
    MeasureResult part;
    part.completed = measured;
    part.agrees = sign_agrees(one, measured);
    result.parts = {part};
    result.shown = 0;
    return size_agrees(one, result);
  };
  CHECK(agrees(18.0, 8.0) == true);
  CHECK(agrees(18.1, 8.0) == false);
  CHECK(agrees(-1.0, 8.0) == false);  // 9 points away, but in the other direction
  CHECK(agrees(60.0, 80.0) == true);
  CHECK(agrees(59.9, 80.0) == false);
  CHECK(agrees(60.0, 80.0, Direction::decrease) == true);
  CHECK(agrees(1.8, 2.0, Direction::increase, "ratio") == true);  // within a quarter of the change of 100 %
  CHECK(agrees(1.7, 2.0, Direction::increase, "ratio") == false);
  CHECK(agrees(0.9, 1.2, Direction::at_most, "ratio") == true);  // a bound that holds
  CHECK(agrees(1.3, 1.2, Direction::at_most, "ratio") == false);
  CHECK(agrees(90.0, 100.0, Direction::equal) == true);
  CHECK(agrees(250.0, 200.0, Direction::about, "ns") == true);
  CHECK(agrees(251.0, 200.0, Direction::about, "ns") == false);
  Claim ordering = claim();
  ordering.value.reset();
  ordering.unit = "ordering";
  const ClaimResult result = evaluate(ordering, example().look_up());
  REQUIRE(result.shown.has_value());
  CHECK_FALSE(size_agrees(ordering, result).has_value());
}

TEST_CASE("a miss rate is measured with merges too, and nothing else is") {
  Records records;
  for (const char* workload : {"a", "b"}) {
    records.add(std::string("base ") + workload, {{"l1.miss_rate", 0.5}, {"l1.miss_rate_with_merges", 0.8}, {"ipc", 1}});
    records.add(std::string("fast ") + workload, {{"l1.miss_rate", 0.25}, {"l1.miss_rate_with_merges", 0.6}, {"ipc", 2}});
  }
  Claim one = claim("l1.miss_rate");
  one.direction = Direction::decrease;
  const ClaimResult result = evaluate(one, records.look_up());
  CHECK(result.measured() == Approx(50.0));
  CHECK(result.with_merges() == Approx(25.0));
  CHECK_FALSE(evaluate(claim("ipc"), records.look_up()).with_merges().has_value());
}

TEST_CASE("a claim is finished when each of its runs has ended, well or not") {
  Records records = example();
  CHECK(is_finished(claim(), records.look_up()));
  records.fail("fast b");
  CHECK(is_finished(claim(), records.look_up()));
  records.stop("fast b");
  CHECK_FALSE(is_finished(claim(), records.look_up()));
}

TEST_CASE("the change of a part counts for what the part is of the whole in the baseline") {
  // L2 saves half on a, where it is a tenth of the chip, and three quarters on b, where it is a fifth.
  Records records;
  records.add("base a", {{"energy.l2", 8}, {"energy.total", 80}}).add("base b", {{"energy.l2", 8}, {"energy.total", 40}});
  records.add("fast a", {{"energy.l2", 4}}).add("fast b", {{"energy.l2", 2}});
  Claim one = claim("energy.l2", Reduce::arithmetic_mean);
  one.direction = Direction::decrease;
  one.measures[0].part = "energy.total";
  CHECK(*evaluate(one, records.look_up()).measured() == Approx((0.5 * 0.1 + 0.75 * 0.2) / 2 * 100));
  one.measures[0].part.clear();
  one.measures[0].fixed_part = 0.08;
  CHECK(*evaluate(one, records.look_up()).measured() == Approx((0.5 + 0.75) / 2 * 0.08 * 100));
  one.measures[0].fixed_part.reset();
  one.measures[0].part = "energy.totals";
  CHECK_THAT(evaluate(one, records.look_up()).reason, Contains("base does not measure energy.totals; did you mean"));
}

// CM-35, SL-38, DC-31
TEST_CASE("ratios of IPC have a geometric mean, ratios of other metrics an arithmetic one") {
  CHECK(measured(claim(), example()) == Approx((4.0 - 1.0) * 100.0));  // sqrt(2 * 8) = 4
  Claim rate = claim("l1.miss_rate");
  CHECK(measured(rate, example()) == Approx((0.4 - 1.0) * 100.0));  // (0.2 + 0.6) / 2
  CHECK(measured(claim("ipc", Reduce::arithmetic_mean), example()) == Approx((5.0 - 1.0) * 100.0));
  CHECK(measured(claim("l1.miss_rate", Reduce::geometric_mean), example()) == Approx((std::sqrt(0.2 * 0.6) - 1.0) * 100.0));
}

TEST_CASE("a figure without a baseline has an arithmetic mean") {
  Claim rate = claim("l1.miss_rate");
  rate.relative = false;
  rate.measures[0].baseline = {};
  CHECK(measured(rate, example()) == Approx(20.0));  // per cent: the mean (0.1 + 0.3) / 2
  rate.unit = "copies";
  CHECK(measured(rate, example()) == Approx(0.2));
}

// CM-36
TEST_CASE("up to is the maximum, and at least the minimum over the group") {
  CHECK(measured(claim("ipc", Reduce::max), example()) == Approx(700.0));
  CHECK(measured(claim("ipc", Reduce::min), example()) == Approx(100.0));
}

// CM-36
TEST_CASE("a ratio of means divides the group values, normalised where asked") {
  Records records = example();
  records.add("norm a", {{"l1.miss_rate", 1.0}}).add("norm b", {{"l1.miss_rate", 0.25}});
  Claim rate = claim("l1.miss_rate", Reduce::ratio_of_means);
  CHECK(measured(rate, records) == Approx((0.4 / 1.0 - 1.0) * 100.0));  // (0.1 + 0.3) / (0.5 + 0.5)
  rate.measures[0].normalise = machine("norm");
  CHECK(measured(rate, records) == Approx(((0.1 + 1.2) / (0.5 + 2.0) - 1.0) * 100.0));
}

/// Adds a finished run whose kernels have these IPC.
void add_kernels(Records& records, const std::string& key, const std::vector<double>& ipc) {
  Json kernels = Json::array();
  for (const double one : ipc) kernels.push_back({{"ipc", one}});
  records.add(key, Json::object()).result_of(key)["kernels"] = kernels;
}

TEST_CASE("a share of kernels counts those with more, workload by workload") {
  Records records;
  add_kernels(records, "base a", {10, 10, 10, 10});
  add_kernels(records, "fast a", {11, 10, 9, 12});
  add_kernels(records, "base b", {5});
  add_kernels(records, "fast b", {6});
  Claim share = claim("ipc", Reduce::share_of_kernels);
  CHECK(measured(share, records) == Approx(75.0));  // (2 of 4, 1 of 1) / 2, in per cent
  share.unit = "ratio";
  CHECK(measured(share, records) == Approx(0.75));
  add_kernels(records, "base b", {5, 5});
  CHECK(measured(share, records) == Approx(0.5));
  CHECK(evaluate(share, records.look_up()).missing == std::vector<MissingFigure>{{"b", "system and baseline ran different kernels"}});
}

TEST_CASE("a measure of a part of a run's course takes windows, and of those at its ends what lies inside") {
  // 400 instructions: 100 in 10 cycles with 1 hit, 200 in 100 cycles with 40, 100 in 5 cycles with 2.
  const auto course = [](double slower) {
    return Json{{"warps_over_time",
                 {{"columns", {"thread_instructions", "cycles", "vta_hits"}},
                  {"rows", {{0, 10 * slower, 1}, {100, 100 * slower, 40}, {300, 5, 2}}}}}};
  };
  Records records;
  for (const char* key : {"base a", "base b", "fast a", "fast b"}) {
    records.add(key, {{"thread_instructions", 400}});
    records.result_of(key)["tables"] = course(key[0] == 'b' ? 2 : 1);
  }
  Claim one = claim();
  one.measures[0].course = {0.0, 0.5};
  CHECK(measured(one, records) == Approx(100.0));  // 200 / (10 + 50) over 200 / (20 + 100)
  one.relative = false;
  one.unit = "ratio";
  one.measures[0].baseline = {};
  CHECK(measured(one, records) == Approx(200.0 / 60));
  one.measures[0].course = {0.75, 1.0};
  CHECK(measured(one, records) == Approx(100.0 / 5));
  one.measures[0].metric = {"vta.hits"};
  one.measures[0].course = {0.0, 0.5};
  CHECK(measured(one, records) == Approx(1e6 * (1 + 20) / 200));
  records.result_of("fast a").erase("tables");
  CHECK(evaluate(one, records.look_up()).missing == std::vector<MissingFigure>{{"a", "fast has no table warps_over_time"}});
}

TEST_CASE("metrics add up, and per divides") {
  Records records;
  records.add("fast a", {{"x", 3.0}, {"y", 1.0}}).add("fast b", {{"x", 1.0}, {"y", 1.0}});
  Claim share = claim("x");
  share.relative = false;
  share.measures[0].baseline = {};
  share.measures[0].per = {"x", "y"};
  CHECK(measured(share, records) == Approx(100.0 * (0.75 + 0.5) / 2));
  share.measures[0].per = {"z"};
  CHECK_THAT(evaluate(share, records.look_up()).reason, Contains("fast does not measure z"));
}

TEST_CASE("a change counts in the claim's direction") {
  Claim rate = claim("l1.miss_rate");
  rate.direction = Direction::decrease;
  rate.value = 80.0;
  const ClaimResult result = evaluate(rate, example().look_up());
  CHECK(*result.measured() == Approx(60.0));
  CHECK(*result.difference == Approx(60.0 - 80.0));
  CHECK(result.sign() == SignVerdict::agrees);
  rate.direction = Direction::increase;
  CHECK(*evaluate(rate, example().look_up()).measured() == Approx(-60.0));
  CHECK(evaluate(rate, example().look_up()).sign() == SignVerdict::disagrees);
}

TEST_CASE("a claim in ratios stays a ratio") {
  Claim ratio = claim();
  ratio.unit = "ratio";
  ratio.value = 2.3;
  const ClaimResult result = evaluate(ratio, example().look_up());
  CHECK(*result.measured() == Approx(4.0));
  CHECK(*result.difference == Approx(4.0 - 2.3));
}

TEST_CASE("each direction has its rule for the sign") {
  Claim one;
  one.unit = "percent";
  const auto agrees = [&](Direction direction, std::optional<double> value, double measured) {
    one.direction = direction;
    one.value = value;
    return sign_agrees(one, measured);
  };
  CHECK(agrees(Direction::increase, 21.0, 0.1));
  CHECK_FALSE(agrees(Direction::increase, 21.0, -0.1));
  CHECK_FALSE(agrees(Direction::increase, 21.0, 0.0));
  CHECK(agrees(Direction::decrease, 15.0, 0.1));  // sizes: a decrease counts as positive
  CHECK_FALSE(agrees(Direction::decrease, 15.0, -0.1));
  CHECK(agrees(Direction::at_most, 1.0, -7.0));
  CHECK_FALSE(agrees(Direction::at_most, 1.0, 1.1));
  CHECK(agrees(Direction::at_least, 5.0, 5.0));
  CHECK_FALSE(agrees(Direction::at_least, 5.0, 4.9));
  CHECK(agrees(Direction::within, 3.0, -3.0));
  CHECK_FALSE(agrees(Direction::within, 3.0, 3.1));
  CHECK(agrees(Direction::equal, 72.0, 77.0));  // five points
  CHECK_FALSE(agrees(Direction::about, 72.0, 66.9));
  one.tolerance = 1.0;
  CHECK_FALSE(agrees(Direction::equal, 72.0, 77.0));
  one.tolerance.reset();

  one.unit = "copies";
  CHECK(agrees(Direction::equal, 2.7, 2.96));  // a tenth
  CHECK_FALSE(agrees(Direction::equal, 2.7, 3.0));
  one.unit = "ratio";
  CHECK(agrees(Direction::increase, 2.3, 1.01));
  CHECK_FALSE(agrees(Direction::increase, 2.3, 0.99));
  CHECK(agrees(Direction::decrease, 0.5, 0.9));
  CHECK(agrees(Direction::within, 0.25, 0.8));
  CHECK_FALSE(agrees(Direction::within, 0.25, 1.3));

  one.unit = "percent";
  one.relative = false;  // an absolute figure: 90 or more, 10 or less
  CHECK(agrees(Direction::increase, 90.0, 93.0));
  CHECK_FALSE(agrees(Direction::increase, 90.0, 89.0));
  CHECK(agrees(Direction::decrease, 10.0, 4.0));
  CHECK_FALSE(agrees(Direction::decrease, 10.0, 12.0));
  one.unit = "ordering";
  CHECK(agrees(Direction::increase, std::nullopt, 0.3));
  CHECK(agrees(Direction::decrease, std::nullopt, 0.3));
  CHECK_FALSE(agrees(Direction::decrease, std::nullopt, -0.3));
}

TEST_CASE("an ordering has a change and a sign but no difference") {
  Claim ordering = claim();
  ordering.unit = "ordering";
  ordering.relative = false;
  ordering.value.reset();
  ordering.direction = Direction::decrease;
  const ClaimResult result = evaluate(ordering, example().look_up());
  CHECK(*result.measured() == Approx(-300.0));
  CHECK(result.sign() == SignVerdict::disagrees);
  CHECK_FALSE(result.difference.has_value());
}

TEST_CASE("a partly named group has a value for those that its source names and one for all") {
  Claim partly = claim();
  partly.measures[0].workloads = group({"a"}, {"b"});
  const ClaimResult result = evaluate(partly, example().look_up());
  CHECK(*result.measured() == Approx(300.0));
  CHECK(*result.named_only() == Approx(100.0));
  CHECK(partly_named(partly));
  CHECK_FALSE(partly_named(claim()));
  partly.measures[0].workloads = group({}, {"a", "b"});
  CHECK_FALSE(evaluate(partly, example().look_up()).named_only().has_value());
}

TEST_CASE("if a claim has several measures, the first that disagrees decides it") {
  Claim two = claim();
  two.measures.push_back(two.measures[0]);
  CHECK(evaluate(two, example().look_up()).shown == 0u);
  std::swap(two.measures[1].system, two.measures[1].baseline);
  const ClaimResult result = evaluate(two, example().look_up());
  CHECK(result.shown == 1u);
  CHECK(result.sign() == SignVerdict::disagrees);
  CHECK(*result.measured() == Approx(-75.0));
}

TEST_CASE("a workload without a figure is left out and named with the reason") {
  Claim three = claim();
  three.measures[0].workloads = group({"a", "b", "c", "d", "e"});
  Records records = example();
  records.add("base c", {{"ipc", 10}}).fail("fast c");
  records.add("base d", {{"ipc", 10}, {"thread_instructions", 1000}}).add("fast d", {{"ipc", 10}, {"thread_instructions", 1011}});
  const ClaimResult result = evaluate(three, records.look_up());
  CHECK(*result.measured() == Approx(300.0));
  CHECK(result.missing == std::vector<MissingFigure>{{"c", "fast failed: signal 11"},
                                                     {"d", "system and baseline issued different numbers of instructions"},
                                                     {"e", "is not built in"}});
  CHECK(result.reason.empty());
}

TEST_CASE("a claim of which nothing could be measured says why") {
  Claim none = claim();
  none.measures[0].workloads = group({"x", "y"});
  const ClaimResult result = evaluate(none, example().look_up());
  CHECK_FALSE(result.measured().has_value());
  CHECK_FALSE(result.sign().has_value());
  CHECK(result.reason == "none of its figures could be measured: x is not built in, y is not built in");

  Claim unknown = claim("l1.mis_rate");
  CHECK_THAT(evaluate(unknown, example().look_up()).reason, Contains("fast does not measure l1.mis_rate; did you mean 'l1.miss_rate'?"));

  Claim area;
  area.reason = "an area";
  CHECK(evaluate(area, example().look_up()).reason == "an area");
}

TEST_CASE("a baseline of zero gives no ratio") {
  Records records = example();
  records.add("base a", {{"ipc", 10}, {"l1.miss_rate", 0.0}});
  const ClaimResult result = evaluate(claim("l1.miss_rate"), records.look_up());
  CHECK(*result.measured() == Approx((0.6 - 1.0) * 100.0));
  CHECK(result.missing == std::vector<MissingFigure>{{"a", "l1.miss_rate is 0 for base"}});
}

TEST_CASE("a group whose baseline has a mean of zero gives no ratio of means") {
  Records records = example();
  records.add("base a", {{"ipc", 10}, {"l1.miss_rate", 0.0}}).add("base b", {{"ipc", 10}, {"l1.miss_rate", 0.0}});
  const ClaimResult result = evaluate(claim("l1.miss_rate", Reduce::ratio_of_means), records.look_up());
  CHECK_FALSE(result.measured().has_value());
  CHECK(result.reason == "the mean of its baseline is 0");
}

TEST_CASE("claims share their runs, and a workload that is not built in is not planned") {
  Claim rate = claim("l1.miss_rate");
  rate.measures[0].workloads = group({"b", "c"}, {"later"});
  rate.measures[0].normalise = {"base", {"l1.ways=8"}, {}};
  const ClaimPlan plan({claim(), rate}, [](const std::string& workload) { return workload != "later"; });
  CHECK(plan.specs().size() == 3 + 4 + 1);  // fast and base over a, b, c; normalise over b, c
  CHECK(plan.find(machine("fast"), "b").has_value());
  CHECK(plan.find({"base", {"l1.ways=8"}, {}}, "c").has_value());
  CHECK_FALSE(plan.find({"base", {"l1.ways=8"}, {}}, "a").has_value());
  CHECK_FALSE(plan.find(machine("fast"), "later").has_value());
  const RunSpec& spec = plan.specs()[*plan.find({"base", {"l1.ways=8"}, {}}, "b")];
  CHECK(spec.config == "base");
  CHECK(spec.stimulus == "b");
  CHECK(spec.overrides == std::vector<std::string>{"l1.ways=8"});
}

}  // namespace
}  // namespace wharf::cli

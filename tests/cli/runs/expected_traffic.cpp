#include "platforms/cli/results/expected_traffic.h"

#include <catch2/catch.hpp>

namespace wharf::cli {

namespace {

SkippedWork work(std::uint64_t instructions, std::uint64_t misses, std::size_t before_span = 0) {
  return {before_span, instructions, {misses}};
}

double misses(const ExpectedTraffic::Counts& counts) { return counts[0]; }

}  // namespace

TEST_CASE("the traffic expected of a launch lies between that of the nearest skipped ones of its group, by warp instructions") {
  std::vector<LaunchFacts> launches;
  for (int i = 0; i < 12; ++i) launches.push_back({i % 2 == 0 ? "even" : "odd", {1, 1, 1}, {32, 1, 1}, i == 0 ? 100u : 110u, 0});
  const SamplingPlan plan(launches, 2, 1, WarmedBy::skipped_launches);
  SkippedLaunches skipped(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (!plan.is_detailed(i)) skipped[i] = {work(100, i % 2 == 0 ? 10 * i : 7)};
  const ExpectedTraffic expected(plan, skipped);
  std::size_t both = 0, total = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!skipped[i].empty()) total += skipped[i].front().traffic[0];
    if (i % 2 != 0 || !plan.is_detailed(i)) continue;
    std::size_t before = i, behind = i;
    while (before >= 2 && skipped[before].empty()) before -= 2;
    while (behind + 2 < launches.size() && skipped[behind].empty()) behind += 2;
    if (skipped[before].empty()) before = behind;
    if (skipped[behind].empty()) behind = before;
    if (before != behind) ++both;
    const double per_misses = static_cast<double>(launches[i].size) / 100;
    const double least = per_misses * 10 * static_cast<double>(before), most = per_misses * 10 * static_cast<double>(behind);
    CHECK(misses(expected.of_launch(i, {})) == Approx(least));
    CHECK(misses(expected.of_launch(i, {1e9})) == Approx(most));
    CHECK(misses(expected.of_launch(i, {(least + most) / 2})) == Approx((least + most) / 2));
  }
  CHECK(both > 0);
  CHECK(misses(expected.of_skipped()) == Approx(total));
}

TEST_CASE("the traffic expected of a span lies between that of the CTAs skipped before and behind it, by warp instructions") {
  const SamplingPlan plan({{"long", {1000, 1, 1}, {32, 1, 1}, 1000, 1}}, 2, 1);
  const SkippedLaunches skipped = {{work(100, 30, 2), work(300, 9, 5)}};
  const ExpectedTraffic expected(plan, skipped);
  for (const std::size_t of_first : {0, 1}) CHECK(misses(expected.of_span(0, of_first, 10, {})) == Approx(10 * 30.0 / 100));
  for (const std::size_t between : {2, 4}) {
    CHECK(misses(expected.of_span(0, between, 20, {})) == Approx(20 * 9.0 / 300));
    CHECK(misses(expected.of_span(0, between, 20, {100})) == Approx(20 * 30.0 / 100));
    CHECK(misses(expected.of_span(0, between, 20, {2})) == Approx(2));
  }
  CHECK(misses(expected.of_span(0, 5, 10, {100})) == Approx(10 * 9.0 / 300));
  CHECK(misses(ExpectedTraffic(plan, {{}}).of_span(0, 1, 10, {5})) == 0);
}

}  // namespace wharf::cli

#include "stimuli/sampling/sampling_plan.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace wharf;

namespace {

LaunchFacts launch(const char* kernel, std::uint64_t size, std::uint32_t grid = 4) { return {kernel, {grid, 1, 1}, {64, 1, 1}, size}; }

/// a, b, a, b, ... of one size each.
std::vector<LaunchFacts> alternating(std::size_t count) {
  std::vector<LaunchFacts> launches;
  for (std::size_t i = 0; i < count; ++i) launches.push_back(launch(i % 2 == 0 ? "a" : "b", 100));
  return launches;
}

}  // namespace

TEST_CASE("launches of one kernel, geometry and power of two of the size are a group") {
  const SamplingPlan plan({launch("a", 64), launch("a", 127), launch("b", 64), launch("a", 128), launch("a", 64, 5), launch("a", 65)}, 2,
                          1);
  REQUIRE(plan.groups().size() == 4);
  const LaunchGroup& first = plan.groups()[0];
  CHECK(first.launches == std::vector<std::size_t>{0, 1, 5});
  CHECK(first.smallest == 64);
  CHECK(first.largest == 127);
  CHECK(first.size == 64 + 127 + 65);
  CHECK(plan.groups()[1].launches == std::vector<std::size_t>{2});
  CHECK(plan.groups()[2].launches == std::vector<std::size_t>{3});
  CHECK(plan.groups()[3].launches == std::vector<std::size_t>{4});
}

TEST_CASE("the first launch of a group is a stratum of its own, and of the others the wanted number is drawn") {
  const SamplingPlan plan(alternating(200), 5, 1);
  REQUIRE(plan.strata().size() == 4);
  CHECK(plan.strata()[0].measured == std::vector<std::size_t>{0});
  CHECK(plan.strata()[1].launches == 99);
  CHECK(plan.strata()[1].size == 99 * 100);
  CHECK(plan.strata()[1].measured.size() == 5);
  CHECK(plan.strata()[2].measured == std::vector<std::size_t>{1});
  CHECK(plan.strata()[3].measured.size() == 5);
  for (const std::size_t number : plan.strata()[3].measured) CHECK(number % 2 == 1);
}

TEST_CASE("a small group is measured completely") {
  const SamplingPlan plan(alternating(12), 5, 1);
  CHECK(plan.detailed().size() == 12);
  for (std::size_t number = 0; number < 12; ++number) CHECK(plan.role(number) == LaunchRole::measured);
}

TEST_CASE("the launch before a measured one runs in detail too, and all others are skipped") {
  const SamplingPlan plan(alternating(200), 5, 1);
  std::size_t measured = 0;
  for (std::size_t number = 0; number < 200; ++number) {
    const bool warms = number + 1 < 200 && plan.role(number + 1) == LaunchRole::measured;
    if (plan.role(number) == LaunchRole::measured)
      ++measured;
    else
      CHECK(plan.role(number) == (warms ? LaunchRole::warm_up : LaunchRole::skipped));
  }
  CHECK(measured == 2 * (1 + 5));
}

TEST_CASE("if skipped launches warm the caches, no launch runs in detail only to warm them") {
  const SamplingPlan warmed(alternating(200), 5, 1, WarmedBy::skipped_launches), other(alternating(200), 5, 1);
  CHECK(warmed.detailed().size() == 2 * (1 + 5));
  for (std::size_t number = 0; number < 200; ++number)
    CHECK(warmed.role(number) == (other.role(number) == LaunchRole::measured ? LaunchRole::measured : LaunchRole::skipped));
}

TEST_CASE("a seed gives one plan, and over seeds each launch is drawn equally often") {
  CHECK(SamplingPlan(alternating(200), 5, 3).detailed() == SamplingPlan(alternating(200), 5, 3).detailed());
  CHECK(SamplingPlan(alternating(200), 5, 3).detailed() != SamplingPlan(alternating(200), 5, 4).detailed());
  std::vector<int> drawn(22);
  constexpr int kSeeds = 4000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const SamplingPlan plan(alternating(22), 2, static_cast<std::uint64_t>(seed));
    for (const std::size_t number : plan.strata()[1].measured) ++drawn[number];
  }
  for (std::size_t number = 2; number < 22; number += 2)
    CHECK(drawn[number] == Approx(kSeeds * 2 / 10).margin(100));  // four standard deviations
}

TEST_CASE("executed sizes replace the expected ones, and the same launches are measured") {
  std::vector<LaunchFacts> launches = alternating(200);
  std::vector<std::uint64_t> sizes(200);
  for (std::size_t number = 0; number < 200; ++number) sizes[number] = 1 + number;
  CHECK(SamplingPlan(launches, 5, 3).with_executed(sizes).launches()[7].size == 100);  // it was no expected one
  for (LaunchFacts& launch : launches) launch.is_expected = true;
  const SamplingPlan plan(launches, 5, 3);
  const SamplingPlan executed = plan.with_executed(sizes);
  CHECK(executed.detailed() == plan.detailed());
  CHECK(executed.launches()[7].size == 8);
  const LaunchGroup& evens = executed.groups()[0];
  CHECK(evens.first.size == 1);
  CHECK(evens.smallest == 1);
  CHECK(evens.largest == 199);
  CHECK(evens.size == 100 * 100);
  CHECK(executed.strata()[0].size == 1);
  CHECK(executed.strata()[1].size == 100 * 100 - 1);
  CHECK(executed.strata()[2].size == 2);
  CHECK(executed.strata()[3].size == 100 * 101 - 2);
}

TEST_CASE("a program without launches has an empty plan") { CHECK(SamplingPlan({}, 2, 1).groups().empty()); }

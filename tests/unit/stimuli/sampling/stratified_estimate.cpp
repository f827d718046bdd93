#include "stimuli/sampling/stratified_estimate.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "model/base/rng.h"

using namespace wharf;

namespace {

// Student's t at 97.5 % by its closed forms.
const double kFreedom1 = std::tan(M_PI * 0.475), kFreedom2 = 0.95 * std::sqrt(2 / (4 * 0.975 * 0.025));

/// Calls `use` with each sample of `count` of `from`.
template <class Use>
void for_each_sample(const std::vector<double>& from, std::size_t count, Use use, std::size_t next = 0, std::vector<double> drawn = {}) {
  if (drawn.size() == count) return use(drawn);
  for (std::size_t i = next; i < from.size(); ++i) {
    drawn.push_back(from[i]);
    for_each_sample(from, count, use, i + 1, drawn);
    drawn.pop_back();
  }
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// Close to a normal distribution with mean 0 and variance 1.
double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(rng.below(1u << 20)) / (1u << 20);
  return sum;
}

/// A stratum whose members all have the size 1.
SampledStratum equal(std::uint64_t members, const std::vector<double>& values) {
  SampledStratum stratum{members, static_cast<double>(members), {}};
  for (const double value : values) stratum.drawn.push_back({1, value});
  return stratum;
}

/// Members with sizes from 100 to 200, and values that vary by a tenth around `per_size` of them.
std::vector<SampledMember> made_up(std::size_t members, double per_size, Rng& rng) {
  std::vector<SampledMember> stratum;
  for (std::size_t i = 0; i < members; ++i) {
    const double size = 100 + static_cast<double>(rng.below(100));
    stratum.push_back({size, per_size * size * (1 + 0.1 * normal(rng))});
  }
  return stratum;
}

/// The share of `repeats` random samples whose interval contains the total of the population.
double coverage(const std::vector<std::vector<SampledMember>>& population, std::size_t drawn, int repeats) {
  Rng rng(7);
  double total = 0;
  for (const auto& stratum : population)
    for (const SampledMember& member : stratum) total += member.value;
  int held = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<SampledStratum> strata;
    for (std::vector<SampledMember> stratum : population) {
      double size = 0;
      for (const SampledMember& member : stratum) size += member.size;
      for (std::size_t i = 0; i < drawn; ++i) std::swap(stratum[i], stratum[i + rng.below(stratum.size() - i)]);
      strata.push_back({stratum.size(), size, {stratum.begin(), stratum.begin() + static_cast<std::ptrdiff_t>(drawn)}});
    }
    const TotalEstimate estimate = estimate_total(strata);
    held += std::abs(estimate.total - total) <= estimate.half_width ? 1 : 0;
  }
  return static_cast<double>(held) / repeats;
}

}  // namespace

TEST_CASE("values that are estimates add the second stage of the variance, by the share of members drawn") {
  // Two of four members drawn, with values 10 and 14, which are estimates of variances 3 and 5 with 2 degrees of freedom each.
  SampledStratum stratum = equal(4, {10, 14});
  stratum.drawn[0].variance = 3, stratum.drawn[0].freedom = 2;
  stratum.drawn[1].variance = 5, stratum.drawn[1].freedom = 2;
  const TotalEstimate estimate = estimate_total({stratum});
  const double first = 4.0 * (4 - 2) / 2 * 8, second_a = 4.0 / 2 * 3, second_b = 4.0 / 2 * 5;  // 8: the values' sample variance
  CHECK(estimate.total == Approx(48));
  CHECK(estimate.variance == Approx(first + second_a + second_b));
  CHECK(estimate.freedom == Approx(std::pow(estimate.variance, 2) / (first * first + (second_a * second_a + second_b * second_b) / 2)));

  // Of a stratum that is drawn completely, the second stage alone is left.
  SampledStratum all = equal(2, {10, 14});
  all.drawn[0].variance = 3, all.drawn[0].freedom = 2;
  CHECK(estimate_total({all}).total == Approx(24));
  CHECK(estimate_total({all}).variance == Approx(3));
  CHECK(estimate_total({all}).half_width == Approx(kFreedom2 * std::sqrt(3)));
}

TEST_CASE("strata whose members are all measured add up, and their interval has no width") {
  const TotalEstimate estimate = estimate_total({equal(1, {5}), {3, 60, {{10, 1}, {20, 2}, {30, 4}}}, {}});
  CHECK(estimate.total == 5 + 1 + 2 + 4);
  CHECK(estimate.half_width == 0);
}

TEST_CASE("of members of equal size the mean stands for all, and Student's t has a degree of freedom less than values") {
  // Two of six members: mean 4, variance 8. The estimate's variance is 6 * (6 - 2) * 8 / 2.
  for (const double size : {0.0, 1.0, 50.0}) {
    const TotalEstimate of_two = estimate_total({equal(1, {100}), {6, 6 * size, {{size, 2}, {size, 6}}}});
    CHECK(of_two.total == Approx(100 + 6 * 4));
    CHECK(of_two.half_width == Approx(kFreedom1 * std::sqrt(6 * (6 - 2) * 8 / 2.0)));
  }
  // Three of six members: mean 4, variance 4.
  CHECK(estimate_total({equal(6, {2, 4, 6})}).half_width == Approx(kFreedom2 * std::sqrt(6 * (6 - 3) * 4 / 3.0)));
}

TEST_CASE("values that are proportional to the size are estimated without an error") {
  const TotalEstimate estimate = estimate_total({{10, 1234, {{100, 300}, {150, 450}, {180, 540}}}});
  CHECK(estimate.total == Approx(3 * 1234));
  CHECK(estimate.half_width == Approx(0).margin(1e-6));
}

TEST_CASE("the variance of a ratio is that of the residuals, scaled to the mean size") {
  // 3 per size; residuals -30 and +30 of sizes 100 and 200; mean size 150 of the drawn and 120 of the ten members.
  const TotalEstimate estimate = estimate_total({{10, 1200, {{100, 270}, {200, 630}}}});
  CHECK(estimate.total == Approx(3 * 1200));
  CHECK(estimate.half_width == Approx(kFreedom1 * std::sqrt(10 * (10 - 2) / 2.0 * (2 * 30 * 30) * (120.0 / 150) * (120.0 / 150))));
}

TEST_CASE("degrees of freedom of strata with equal variances add up") {
  const SampledStratum stratum = equal(6, {2, 6});
  CHECK(estimate_total({stratum, stratum}).half_width == Approx(kFreedom2 * std::sqrt(2 * 6 * (6 - 2) * 8 / 2.0)));
}

TEST_CASE("over all samples of members of one size, estimates average to the total, and variances to theirs") {
  const std::vector<double> population = {3, 3, 8, 20, 21, 40, 1000};
  const double total = sum_of(population);
  double samples = 0, totals = 0, squared_errors = 0, variances = 0;
  for_each_sample(population, 3, [&](const std::vector<double>& drawn) {
    const TotalEstimate estimate = estimate_total({equal(population.size(), drawn)});
    ++samples;
    totals += estimate.total;
    squared_errors += (estimate.total - total) * (estimate.total - total);
    variances += estimate.half_width * estimate.half_width / (kFreedom2 * kFreedom2);
  });
  CHECK(samples == 7 * 6 * 5 / (3 * 2));
  CHECK(totals / samples == Approx(total));
  CHECK(variances == Approx(squared_errors));
}

TEST_CASE("the interval contains the total in about 95 of 100 samples of made-up strata") {
  Rng rng(1);
  std::vector<std::vector<SampledMember>> population;
  for (const double per_size : {0.5, 1.0, 2.0, 4.0}) population.push_back(made_up(40, per_size, rng));
  CHECK(coverage({population[0]}, 5, 4000) == Approx(0.95).margin(0.015));
  CHECK(coverage(population, 5, 4000) == Approx(0.95).margin(0.015));
  CHECK(coverage(population, 20, 4000) == Approx(0.95).margin(0.015));
}

TEST_CASE("too few values for a variance are refused, and more values than members") {
  CHECK_THROWS_WITH(estimate_total({equal(3, {1})}), "a stratum of 3 launches has 1 measured ones; it needs all of them, or two");
  CHECK_THROWS_WITH(estimate_total({equal(1, {1, 2})}), Catch::Contains("a stratum of 1 launches has 2"));
}

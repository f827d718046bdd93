#include "stimuli/sampling/stratified_estimate.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "model/base/error.h"

namespace wharf {
namespace {

constexpr double kBothTails = 0.05;

void require_enough(const SampledStratum& stratum) {
  const std::size_t drawn = stratum.drawn.size();
  if (drawn > stratum.members || (drawn < stratum.members && drawn < 2))
    throw SimulationError("a stratum of " + std::to_string(stratum.members) + " launches has " + std::to_string(drawn) +
                          " measured ones; it needs all of them, or two");
}

struct StratumEstimate {
  double total = 0, variance = 0;
};

StratumEstimate estimate_of(const SampledStratum& stratum) {
  const auto members = static_cast<double>(stratum.members), drawn = static_cast<double>(stratum.drawn.size());
  const bool sized = stratum.size > 0;
  const auto size_of = [&](const SampledMember& member) { return sized ? member.size : 1.0; };
  double sizes = 0, values = 0, squares = 0;
  for (const SampledMember& member : stratum.drawn) sizes += size_of(member), values += member.value;
  if (drawn == members) return {values, 0};
  const double per_size = values / sizes, size = sized ? stratum.size : members;
  for (const SampledMember& member : stratum.drawn) squares += std::pow(member.value - per_size * size_of(member), 2);
  const double mean_size_ratio = (size / members) / (sizes / drawn);
  return {per_size * size, members * (members - drawn) / drawn * squares / (drawn - 1) * mean_size_ratio * mean_size_ratio};
}

}  // namespace

TotalEstimate estimate_total(const std::vector<SampledStratum>& strata) {
  TotalEstimate estimate;
  double variance = 0, squares_per_freedom = 0;
  for (const SampledStratum& stratum : strata) {
    require_enough(stratum);
    const StratumEstimate part = estimate_of(stratum);
    estimate.total += part.total;
    variance += part.variance;
    if (part.variance > 0) squares_per_freedom += part.variance * part.variance / static_cast<double>(stratum.drawn.size() - 1);
  }
  if (variance == 0) return estimate;
  const boost::math::students_t student(variance * variance / squares_per_freedom);
  estimate.half_width = boost::math::quantile(boost::math::complement(student, kBothTails / 2)) * std::sqrt(variance);
  return estimate;
}

}  // namespace wharf

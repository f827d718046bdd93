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

/// Adds up independent parts of a total.
class Sum {
 public:
  void add(double total, double variance, double freedom) {
    total_ += total;
    if (variance == 0) return;
    variance_ += variance;
    squares_per_freedom_ += variance * variance / freedom;
  }
  TotalEstimate estimate() const {
    if (variance_ == 0) return {total_, 0, 0, 0};
    const double freedom = variance_ * variance_ / squares_per_freedom_;
    const boost::math::students_t student(freedom);
    const double half_width = boost::math::quantile(boost::math::complement(student, kBothTails / 2)) * std::sqrt(variance_);
    return {total_, variance_, freedom, half_width};
  }

 private:
  double total_ = 0, variance_ = 0, squares_per_freedom_ = 0;
};

void add_stratum(Sum& sum, const SampledStratum& stratum) {
  const auto members = static_cast<double>(stratum.members), drawn = static_cast<double>(stratum.drawn.size());
  const bool all = drawn == members, sized = stratum.size > 0;
  const auto size_of = [&](const SampledMember& member) { return sized ? member.size : 1.0; };
  double sizes = 0, values = 0, squares = 0;
  for (const SampledMember& member : stratum.drawn) sizes += size_of(member), values += member.value;
  const double per_size = values / sizes, size = sized ? stratum.size : members;
  const double mean_size_ratio = all ? 1.0 : (size / members) / (sizes / drawn);
  const double ratio_squared = mean_size_ratio * mean_size_ratio;
  for (const SampledMember& member : stratum.drawn) squares += std::pow(member.value - per_size * size_of(member), 2);
  sum.add(all ? values : per_size * size, all ? 0 : members * (members - drawn) / drawn * squares / (drawn - 1) * ratio_squared, drawn - 1);
  for (const SampledMember& member : stratum.drawn) sum.add(0, members / drawn * member.variance * ratio_squared, member.freedom);
}

}  // namespace

TotalEstimate estimate_total(const std::vector<SampledStratum>& strata) {
  Sum sum;
  for (const SampledStratum& stratum : strata) {
    require_enough(stratum);
    add_stratum(sum, stratum);
  }
  return sum.estimate();
}

}  // namespace wharf

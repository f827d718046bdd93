#pragma once
// Estimates the total of a population from random samples of its strata.

#include <cstdint>
#include <vector>

namespace wharf {

/// A member that was drawn.
struct SampledMember {
  double size = 0;  // known of all members
  double value = 0;
  // If the value is an estimate from a sample of the member's own parts: its variance and degrees of freedom.
  double variance = 0, freedom = 0;
};

/// A part of the population, and the members that were drawn from it at random without replacement.
struct SampledStratum {
  std::uint64_t members = 0;
  double size = 0;                   // the sum over all members
  std::vector<SampledMember> drawn;  // all members, or at least two
};

struct TotalEstimate {
  double total = 0;
  double variance = 0, freedom = 0;  // degrees of freedom; both 0 if every stratum is known completely
  double half_width = 0;             // of the 95 % interval around the total; 0 as above
};

/// Multiplies the value per size of the drawn members by the size of their stratum (a separate ratio estimate). If sizes are equal or 0, that is
/// the mean for each member. The variance has the finite-population correction and, of values that are estimates, a second stage; the interval
/// is Student's with Satterthwaite's degrees of freedom (Cochran, Sampling Techniques, 3rd edition, chapters 5, 6 and 11). Throws
/// SimulationError if a stratum has more drawn members than members, or too few.
TotalEstimate estimate_total(const std::vector<SampledStratum>& strata);

}  // namespace wharf

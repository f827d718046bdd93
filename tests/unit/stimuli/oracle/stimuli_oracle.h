#pragma once
// Compares the memory that a kernel's accesses touch with the rows of workloads appendix B.

#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "stimuli/catalogue.h"
#include "tests/unit/stimuli/stimuli_walk.h"

namespace wharf::test {

struct Row {
  double accesses, lanes, lines, sectors, distinct_lines, warps, ctas;
};

inline std::vector<AccessFigures> accesses(const std::string& spec, const std::string& kernel, const Launches& launches = {}) {
  const auto stimulus = make_stimulus(spec, 1);
  return accesses_of(*stimulus, kernel, launches);
}

inline AccessFigures joint(const std::vector<AccessFigures>& all, std::initializer_list<std::size_t> members) {
  AccessFigures sum;
  for (const auto i : members) sum.add(all.at(i));
  return sum;
}

/// The share of a figure by which it may differ with random input.
inline constexpr double kRandom = 0.04;

/// Within half of the last printed digit or, with random input, within `share` of the figure.
inline void compare(const AccessFigures& access, const Row& row, double share = 0.0) {
  const auto near = [share](double expected, double digit) {
    return Approx(expected).margin(digit / 2 + 1e-9 + expected * share).epsilon(0);
  };
  CHECK(double(access.accesses) == near(row.accesses, 0));
  CHECK(access.lanes_per_access() == near(row.lanes, 0.1));
  CHECK(access.lines_per_access() == near(row.lines, 0.01));
  CHECK(access.sectors_per_access() == near(row.sectors, 0.01));
  CHECK(double(access.distinct_lines()) == near(row.distinct_lines, 0));
  CHECK(access.warps_per_line() == near(row.warps, 0.01));
  CHECK(access.ctas_per_line() == near(row.ctas, 0.01));
}

}  // namespace wharf::test

#pragma once
// The median of repeated measurements.

#include <algorithm>
#include <vector>

namespace wharf::cli {

/// Of an even number of values, the mean of the middle two. `values` must not be empty.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

}  // namespace wharf::cli

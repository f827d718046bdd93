#include "stimuli/inputs/random_matrix.h"

#include <algorithm>
#include <cstddef>

#include "model/base/rng.h"

namespace wharf {
namespace {

/// The number of absent elements before the next present one. Uses a table of the distribution instead of a logarithm, whose last bit
/// differs between libraries.
class Gap {
 public:
  explicit Gap(double density) {
    double absent = 1.0;
    for (double& chance : within_) chance = 1.0 - (absent *= 1.0 - density);
  }
  std::int64_t draw(Rng& random) const {
    for (std::int64_t gap = 0;; gap += kEntries) {
      const auto found = std::upper_bound(within_.begin(), within_.end(), random.unit());
      if (found != within_.end()) return gap + (found - within_.begin());
    }
  }

 private:
  static constexpr std::int64_t kEntries = 4096;
  std::vector<double> within_ = std::vector<double>(kEntries);  // [g]: probability of a gap of at most g
};

}  // namespace

SparseMatrix random_matrix(std::int32_t rows, double density, std::uint64_t seed) {
  Rng random(seed);
  const Gap gap(density);
  SparseMatrix matrix;
  matrix.row_start.reserve(std::size_t(rows) + 1);
  std::int64_t column = gap.draw(random);
  for (std::int32_t row = 0; row < rows; ++row, column -= rows) {
    matrix.row_start.push_back(static_cast<std::int32_t>(matrix.columns.size()));
    for (; column < rows; column += 1 + gap.draw(random)) matrix.columns.push_back(static_cast<std::int32_t>(column));
  }
  matrix.row_start.push_back(static_cast<std::int32_t>(matrix.columns.size()));
  matrix.values.resize(matrix.columns.size());
  for (float& value : matrix.values) value = static_cast<float>(random.unit() * 10.0);
  return matrix;
}

}  // namespace wharf

#include "stimuli/inputs/mesh_matrix.h"

#include <algorithm>

#include "model/base/rng.h"

namespace wharf {

SparseMatrix mesh_matrix(std::int32_t side, std::uint64_t seed) {
  constexpr double kNarrow = 0.25, kMiddle = 0.55;
  Rng random(seed);
  SparseMatrix matrix;
  for (std::int32_t y = 0; y < side; ++y) {
    for (std::int32_t x = 0; x < side; ++x) {
      matrix.row_start.push_back(static_cast<std::int32_t>(matrix.columns.size()));
      const double kind = random.unit();
      const std::int32_t reach = kind < kNarrow ? 1 : kind < kNarrow + kMiddle ? 2 : 3;
      for (std::int32_t j = std::max(0, y - reach); j <= std::min(side - 1, y + reach); ++j) {
        for (std::int32_t i = std::max(0, x - reach); i <= std::min(side - 1, x + reach); ++i) matrix.columns.push_back(j * side + i);
      }
    }
  }
  matrix.row_start.push_back(static_cast<std::int32_t>(matrix.columns.size()));
  matrix.values.resize(matrix.columns.size());
  for (float& value : matrix.values) value = static_cast<float>(random.unit());
  return matrix;
}

}  // namespace wharf

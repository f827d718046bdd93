#pragma once
// The random sparse matrix of SHOC's SpMV (workloads section 4.11).

#include <cstdint>
#include <vector>

namespace wharf {

/// Compressed sparse rows with ascending columns.
struct SparseMatrix {
  std::vector<std::int32_t> row_start;  // rows + 1 entries
  std::vector<std::int32_t> columns;
  std::vector<float> values;
};

/// A square matrix; each element is present with probability `density` in (0, 1], and uniform in [0, 10).
SparseMatrix random_matrix(std::int32_t rows, double density, std::uint64_t seed);

}  // namespace wharf

#pragma once
// A sparse matrix with the structure of a finite-element mesh (workloads section 3.5).

#include <cstdint>

#include "stimuli/inputs/random_matrix.h"

namespace wharf {

/// One row and column per point of a side x side grid. A row has an element for each point on the grid among the 3x3, 5x5 or 7x7 points
/// around its own (probabilities 0.25, 0.55, 0.20), uniform in [0, 1).
SparseMatrix mesh_matrix(std::int32_t side, std::uint64_t seed);

}  // namespace wharf

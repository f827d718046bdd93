#pragma once
// A graph with the degree distribution and the communities of a co-author network (workloads section 4.15).

#include <cstdint>
#include <limits>

#include "stimuli/inputs/random_graph.h"

namespace wharf {

/// `links` links, each in both directions. A link falls into a quadrant of the adjacency matrix with probabilities 0.45, 0.22, 0.22, 0.11,
/// and recursively within that quadrant (R-MAT), down to one cell. Cells beyond `nodes`, and those of a node that already has `most` links,
/// are redrawn. The lists of neighbours are ascending.
Graph rmat_graph(std::int32_t nodes, std::int64_t links, std::uint64_t seed, std::int32_t most = std::numeric_limits<std::int32_t>::max());

}  // namespace wharf

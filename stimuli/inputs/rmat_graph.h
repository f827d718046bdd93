#pragma once
// A graph with the degrees and the communities of a co-author network (workloads section 4.15).

#include <cstdint>
#include <limits>

#include "stimuli/inputs/random_graph.h"

namespace wharf {

/// `links` links, each both ways. A link falls into a quadrant of the adjacency matrix with probabilities 0.45, 0.22, 0.22, 0.11, and so on
/// in that quadrant (R-MAT), until one cell is left; cells beyond `nodes`, and those of a node that has `most` links already, are drawn
/// again. The lists of neighbours ascend.
Graph rmat_graph(std::int32_t nodes, std::int64_t links, std::uint64_t seed, std::int32_t most = std::numeric_limits<std::int32_t>::max());

}  // namespace wharf

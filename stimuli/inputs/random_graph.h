#pragma once
// The random graph of Rodinia's BFS (workloads section 2.1).

#include <cstdint>
#include <vector>

namespace wharf {

/// Concatenated adjacency lists: the neighbours of node i are targets[start[i]] to targets[start[i + 1] - 1].
struct Graph {
  std::vector<std::int32_t> start;  // nodes + 1 entries
  std::vector<std::int32_t> targets;
  std::int32_t nodes() const { return static_cast<std::int32_t>(start.size()) - 1; }
};

/// For every node i, draws a number k, uniform in [fewest, most], and k times a uniform node d, and appends both i -> d and d -> i to the
/// lists. Duplicates and loops occur; the mean degree is fewest + most.
Graph random_graph(std::int32_t nodes, int fewest, int most, std::uint64_t seed);

}  // namespace wharf

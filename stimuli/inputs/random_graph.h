#pragma once
// The random graph of Rodinia's BFS (workloads section 2.1).

#include <cstdint>
#include <vector>

namespace wharf {

/// Adjacency lists one after another: the neighbours of node i are targets[start[i]] to targets[start[i + 1] - 1].
struct Graph {
  std::vector<std::int32_t> start;  // nodes + 1
  std::vector<std::int32_t> targets;
  std::int32_t nodes() const { return static_cast<std::int32_t>(start.size()) - 1; }
};

/// For every node i a number k, uniform in [fewest, most]; k times a uniform node d, and both i -> d and d -> i are appended to the lists.
/// Duplicates and loops occur; the mean degree is fewest + most.
Graph random_graph(std::int32_t nodes, int fewest, int most, std::uint64_t seed);

}  // namespace wharf

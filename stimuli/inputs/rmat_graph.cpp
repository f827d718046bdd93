#include "stimuli/inputs/rmat_graph.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "model/base/rng.h"

namespace wharf {

Graph rmat_graph(std::int32_t nodes, std::int64_t links, std::uint64_t seed, std::int32_t most) {
  constexpr double kUpperLeft = 0.45, kUpperRight = 0.22, kLowerLeft = 0.22;
  Rng random(seed);
  std::vector<std::int32_t> degree(static_cast<std::size_t>(nodes));
  std::vector<std::pair<std::int32_t, std::int32_t>> cells;
  cells.reserve(static_cast<std::size_t>(2 * links));
  while (cells.size() < static_cast<std::size_t>(2 * links)) {
    std::int64_t from = 0, to = 0;
    for (std::int64_t side = 1; side < nodes; side *= 2) {
      const double quadrant = random.unit();
      const bool right =
          quadrant >= kUpperLeft && (quadrant < kUpperLeft + kUpperRight || quadrant >= kUpperLeft + kUpperRight + kLowerLeft);
      const bool lower = quadrant >= kUpperLeft + kUpperRight;
      from = 2 * from + lower;
      to = 2 * to + right;
    }
    if (from >= nodes || to >= nodes) continue;
    if (degree[std::size_t(from)] >= most || degree[std::size_t(to)] >= most) continue;
    ++degree[std::size_t(from)], ++degree[std::size_t(to)];
    cells.emplace_back(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to));
    cells.emplace_back(static_cast<std::int32_t>(to), static_cast<std::int32_t>(from));
  }
  std::sort(cells.begin(), cells.end());
  Graph graph;
  graph.start.assign(static_cast<std::size_t>(nodes) + 1, 0);
  graph.targets.reserve(cells.size());
  for (const auto& [from, to] : cells) {
    ++graph.start[std::size_t(from) + 1];
    graph.targets.push_back(to);
  }
  for (std::size_t i = 1; i < graph.start.size(); ++i) graph.start[i] += graph.start[i - 1];
  return graph;
}

}  // namespace wharf

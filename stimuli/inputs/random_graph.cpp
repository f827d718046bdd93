#include "stimuli/inputs/random_graph.h"

#include <cstddef>
#include <utility>

#include "model/base/rng.h"

namespace wharf {

Graph random_graph(std::int32_t nodes, int fewest, int most, std::uint64_t seed) {
  Rng random(seed);
  std::vector<std::pair<std::int32_t, std::int32_t>> links;
  links.reserve(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(fewest + most) / 2);
  Graph graph;
  graph.start.assign(static_cast<std::size_t>(nodes) + 1, 0);
  for (std::int32_t i = 0; i < nodes; ++i) {
    for (auto k = random.between(std::uint64_t(fewest), std::uint64_t(most)); k > 0; --k) {
      const auto d = static_cast<std::int32_t>(random.below(std::uint64_t(nodes)));
      links.emplace_back(i, d);
      ++graph.start[std::size_t(i) + 1];
      ++graph.start[std::size_t(d) + 1];
    }
  }
  for (std::size_t i = 1; i < graph.start.size(); ++i) graph.start[i] += graph.start[i - 1];
  // Each list keeps the order in which its entries were drawn.
  std::vector<std::int32_t> next(graph.start.begin(), graph.start.end() - 1);
  graph.targets.resize(links.size() * 2);
  for (const auto& [i, d] : links) {
    graph.targets[std::size_t(next[std::size_t(i)]++)] = d;
    graph.targets[std::size_t(next[std::size_t(d)]++)] = i;
  }
  return graph;
}

}  // namespace wharf

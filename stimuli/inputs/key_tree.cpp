#include "stimuli/inputs/key_tree.h"

#include <algorithm>
#include <cstddef>

namespace wharf {
namespace {

/// One level: its nodes, and the number of keys below a full node.
struct Level {
  std::int64_t first, count, reach;
};

/// The levels, root first.
std::vector<Level> levels_of(std::int64_t keys, std::int64_t per_node) {
  std::vector<Level> levels;
  std::int64_t reach = 1, count = keys;
  do {
    reach *= per_node;
    count = (count + per_node - 1) / per_node;
    levels.push_back({0, count, reach});
  } while (count > 1);
  std::reverse(levels.begin(), levels.end());
  for (std::size_t l = 1; l < levels.size(); ++l) levels[l].first = levels[l - 1].first + levels[l - 1].count;
  return levels;
}

void start_node(std::int32_t* node, std::int64_t location, bool leaf, std::int64_t used) {
  node[0] = static_cast<std::int32_t>(location);
  std::fill_n(node + KeyTree::kKey, KeyTree::kOrder + 1, KeyTree::kHighest);
  node[KeyTree::kKey] = KeyTree::kLowest;
  node[KeyTree::kLeaf] = leaf;
  node[KeyTree::kCount] = static_cast<std::int32_t>(used);
}

}  // namespace

KeyTree key_tree(std::int32_t keys, int per_node) {
  const auto levels = levels_of(keys, per_node);
  KeyTree tree;
  tree.nodes = static_cast<int>(levels.back().first + levels.back().count);
  tree.height = static_cast<int>(levels.size()) - 1;
  tree.words.resize(std::size_t(tree.nodes) * KeyTree::kNodeWords);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const bool leaf = l + 1 == levels.size();
    const std::int64_t below = leaf ? keys : levels[l + 1].count, first_below = leaf ? 0 : levels[l + 1].first;
    const std::int64_t reach_below = leaf ? 1 : levels[l + 1].reach;
    for (std::int64_t i = 0; i < levels[l].count; ++i) {
      std::int32_t* const node = tree.words.data() + (levels[l].first + i) * KeyTree::kNodeWords;
      const std::int64_t first = i * per_node, used = std::min<std::int64_t>(per_node, below - first);
      start_node(node, levels[l].first + i, leaf, used);
      for (std::int64_t j = 0; j < used; ++j) {
        const std::int64_t slot = leaf ? j + 1 : j;  // an inner node's lowest key stands for its first child
        node[KeyTree::kChild + slot] = static_cast<std::int32_t>(first_below + first + j);
        if (slot > 0) node[KeyTree::kKey + slot] = static_cast<std::int32_t>((first + j) * reach_below);
      }
    }
  }
  return tree;
}

}  // namespace wharf

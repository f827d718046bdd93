#pragma once
// The tree that B+TREE searches (workloads section 2.13).

#include <cstdint>
#include <limits>
#include <vector>

namespace wharf {

/// A B+ tree of order 256 over the keys 0, 1, ... Nodes are records of 2068 B in breadth-first order, root first, stored here as words:
/// location, 257 children, 257 keys, leaf, number of keys. Key 0 of a node is the lowest possible value, and unused keys are the highest.
/// In an inner node, child i holds the keys from key i to below key i + 1; in a leaf, child i is the record of key i.
struct KeyTree {
  static constexpr int kOrder = 256, kNodeWords = 2 * (kOrder + 1) + 3;
  static constexpr int kChild = 1, kKey = kChild + kOrder + 1, kLeaf = kKey + kOrder + 1, kCount = kLeaf + 1;
  static constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min(), kHighest = std::numeric_limits<std::int32_t>::max();

  int nodes = 0, height = 0;  // height: levels above the leaves
  std::vector<std::int32_t> words;
};

/// Fills every node up to `per_node` keys (2 to 255), except the last of each level; 128 is the result of insertion in order.
KeyTree key_tree(std::int32_t keys, int per_node);

}  // namespace wharf

#pragma once
// The order in which the CTAs of a kernel in thread-block clusters are opened: cluster by cluster, and by rank in each. Clusters are
// numbered like CTAs, and so are the ranks in a cluster: x fastest.

#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// Converts a linear number to its index in `shape`, x fastest.
constexpr Dim3 index_in(const Dim3& shape, std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % shape.x), static_cast<std::uint32_t>(number / shape.x % shape.y),
          static_cast<std::uint32_t>(number / shape.x / shape.y)};
}
constexpr std::uint64_t number_in(const Dim3& shape, const Dim3& index) {
  return index.x + shape.x * (index.y + std::uint64_t{shape.y} * index.z);
}

/// A grid and its clusters, which divide it in each dimension.
struct ClusterOrder {
  Dim3 grid, cluster;

  constexpr Dim3 clusters() const { return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z}; }
  /// The linear number of the CTA that is opened as number `nth`.
  constexpr std::uint64_t cta(std::uint64_t nth) const {
    const std::uint64_t size = cluster.count();
    if (size == 1) return nth;
    const Dim3 first = index_in(clusters(), nth / size), rank = index_in(cluster, nth % size);
    return number_in(grid, {first.x * cluster.x + rank.x, first.y * cluster.y + rank.y, first.z * cluster.z + rank.z});
  }
  /// The rank in its cluster of CTA `index`, and the number of that cluster.
  constexpr std::uint32_t rank_of(const Dim3& index) const {
    return static_cast<std::uint32_t>(number_in(cluster, {index.x % cluster.x, index.y % cluster.y, index.z % cluster.z}));
  }
  constexpr std::uint64_t cluster_of(const Dim3& index) const {
    return number_in(clusters(), {index.x / cluster.x, index.y / cluster.y, index.z / cluster.z});
  }
};

}  // namespace wharf

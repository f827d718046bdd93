#pragma once
// The order in which the CTAs of a kernel in clusters are opened: cluster by cluster, and by rank in each. Clusters are numbered like CTAs,
// and so are the ranks in a cluster: x fastest.

#include <cstdint>

#include "stimuli/stimulus.h"

namespace wharf {

/// Converts a linear number to its index in `shape`, x fastest.
inline Dim3 index_in(const Dim3& shape, std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % shape.x), static_cast<std::uint32_t>(number / shape.x % shape.y),
          static_cast<std::uint32_t>(number / shape.x / shape.y)};
}
inline std::uint64_t number_in(const Dim3& shape, const Dim3& index) {
  return index.x + shape.x * (index.y + std::uint64_t{shape.y} * index.z);
}

/// The number of clusters in each dimension.
inline Dim3 clusters_of(const KernelLaunch& kernel) {
  return {kernel.grid.x / kernel.cluster.x, kernel.grid.y / kernel.cluster.y, kernel.grid.z / kernel.cluster.z};
}

/// The linear number of the CTA that is opened as number `nth`.
inline std::uint64_t nth_cta(const KernelLaunch& kernel, std::uint64_t nth) {
  const std::uint64_t size = kernel.ctas_per_cluster();
  if (size == 1) return nth;
  const Dim3 cluster = index_in(clusters_of(kernel), nth / size), rank = index_in(kernel.cluster, nth % size);
  return number_in(kernel.grid,
                   {cluster.x * kernel.cluster.x + rank.x, cluster.y * kernel.cluster.y + rank.y, cluster.z * kernel.cluster.z + rank.z});
}

/// The rank in its cluster of CTA `index`, and the number of that cluster.
inline std::uint32_t rank_in_cluster(const KernelLaunch& kernel, const Dim3& index) {
  return static_cast<std::uint32_t>(
      number_in(kernel.cluster, {index.x % kernel.cluster.x, index.y % kernel.cluster.y, index.z % kernel.cluster.z}));
}
inline std::uint64_t cluster_of(const KernelLaunch& kernel, const Dim3& index) {
  return number_in(clusters_of(kernel), {index.x / kernel.cluster.x, index.y / kernel.cluster.y, index.z / kernel.cluster.z});
}

}  // namespace wharf

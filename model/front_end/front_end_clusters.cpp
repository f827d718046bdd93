// Kernels whose CTAs run in thread-block clusters (modern_gpus section 4).

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/cluster_order.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "model/front_end/cluster_placer.h"
#include "model/front_end/front_end.h"

namespace wharf {

std::uint64_t ctas_at_a_time(const KernelLaunch& kernel, const FrontEndParams& params, const SmParams& sm, std::uint32_t sms,
                             const SmGroups& gpcs) {
  const std::uint64_t per_sm = ctas_per_sm(kernel, sm), size = kernel.ctas_per_cluster();
  const std::uint32_t eligible = std::min(params.eligible_sms, sms);
  if (size == 1) return per_sm * eligible;
  std::uint64_t clusters = 0;
  for (const SmGroups::Group& gpc : gpcs) {
    const std::uint64_t here = std::min(gpc.first + gpc.size, eligible) - std::min(gpc.first, eligible);
    if (here >= size || params.cluster_policy == ClusterPolicy::pack) clusters += here * per_sm / size;
  }
  return clusters * size;
}

void FrontEnd::run_clusters(const SmGroups& gpcs) {
  cluster_wait_ = std::make_unique<stats::Counter>(
      group_, "cluster_wait", "cycles in which the next cluster found no places for all its CTAs", stats::Unit::cycles);
  gpc_groups_ = gpcs;
  for (const SmGroups::Group& gpc : gpcs) {
    gpcs_.emplace_back();
    for (std::uint32_t sm = gpc.first; sm < gpc.first + gpc.size; ++sm)
      if (sm < eligible_.size()) gpcs_.back().push_back(sm);
  }
}

void FrontEnd::check_clusters(const KernelLaunch& launch, std::uint32_t per_sm) const {
  const Dim3 &cluster = launch.cluster, &grid = launch.grid;
  const std::uint64_t size = cluster.count();
  if (size == 1) return;
  const std::string kernel = "kernel '" + readable_name(launch.name) + "': ", of = "clusters of " + std::to_string(size) + " CTAs";
  if (gpcs_.empty()) throw InputError(kernel + of + " need SMs that share their memory; set platform: cluster");
  if (size == 0 || size > kMostClusterCtas) throw InputError(kernel + of + "; choose 1 to " + std::to_string(kMostClusterCtas));
  constexpr std::uint64_t kPortable = 8;
  if (size > kPortable && !params_.nonportable_clusters)
    throw InputError(kernel + of + " are not portable; choose at most 8, or set front_end.nonportable_clusters: true");
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    throw InputError(kernel + "its grid is not a whole number of clusters in each dimension; make the grid a multiple of the cluster");
  std::size_t most = 0;
  for (const auto& sms : gpcs_) most = std::max(most, sms.size());
  if (params_.cluster_policy == ClusterPolicy::pack) most *= per_sm;
  if (size > most)
    throw InputError(kernel + of + " fit no GPC, of which the largest has places for " + std::to_string(most) +
                     "; use smaller clusters, or front_end.cluster_policy: pack");
}

/// Dispatches whole clusters, in order, as long as there are places.
void FrontEnd::dispatch_clusters(Kernel& kernel, Cycle now) {
  const ClusterPlacer placer(params_.cluster_policy);
  const ClusterOrder order{kernel.launch->grid, kernel.launch->cluster};
  const auto size = static_cast<std::uint32_t>(kernel.launch->ctas_per_cluster());
  if (const Cycle since = std::exchange(cluster_waits_since_, kNever); since != kNever) *cluster_wait_ += now - since;
  while (kernel.undispatched != 0 && !pauses_) {
    std::vector<std::vector<ClusterPlacer::Sm>> gpcs(gpcs_.size());
    for (std::size_t g = 0; g < gpcs_.size(); ++g)
      for (const std::uint32_t sm : gpcs_[g])
        gpcs[g].push_back(
            {sm, books_[sm].running(), served_[sm] != 0 ? 0 : books_[sm].room(place_of(kernel), kernel.needs, sm_, params_.sm_sharing)});
    const std::vector<std::uint32_t> sms = placer.place(size, std::move(gpcs));
    if (sms.empty()) {
      cluster_waits_since_ = now;
      return;
    }
    auto entry = std::find_if(clusters_.begin(), clusters_.end(), [](const RunningCluster& cluster) { return cluster.running == 0; });
    if (entry == clusters_.end()) entry = clusters_.insert(entry, RunningCluster());
    ClusterPlaces places;
    for (const std::uint32_t sm : sms) {
      const std::uint32_t slot =
          books_[sm].occupy(place_of(kernel), kernel.needs, sm_, static_cast<std::uint32_t>(entry - clusters_.begin()));
      places.push_back({static_cast<std::uint16_t>(sm), static_cast<std::uint16_t>(slot)});
      served_[sm] = 1;
    }
    *entry = {std::make_shared<const ClusterPlaces>(std::move(places)), size};
    const std::uint64_t first = kernel.launch->grid.count() - kernel.undispatched;
    for (std::uint32_t rank = 0; rank < size; ++rank)
      send(kernel, (*entry->places)[rank], order.cta(first + rank), {entry->places, rank}, now);
  }
}

}  // namespace wharf

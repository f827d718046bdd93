#include "platforms/designs/cluster/cluster_design.h"

#include "platforms/frame/gpu_params.h"

namespace wharf {

void ClusterDesign::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("cluster", params, "shared memory of thread-block clusters (modern_gpus section 4)");
  b.ineffective_unless(gpu.platform == "cluster", "cluster", "platform is not cluster");
}

DesignFacts ClusterDesign::facts(const GpuParams& gpu) const {
  DesignFacts facts;
  facts.runs_clusters = true;
  facts.groups = facts.islands = gpu.gpcs();
  facts.between_sms = true;
  facts.sees_all_stores = true;
  facts.uses_near_slices = true;
  return facts;
}

void ClusterDesign::check(config::Binder& b, const GpuParams& gpu) const {
  b.require(gpu.network.peer == PeerNetwork::cluster, "network", "peer has no network between the SMs of a GPC",
            "set network.peer: cluster");
  b.require(params.tma.multicast_at == MulticastAt::source || gpu.network.topology == "hierarchical_crossbar", "cluster",
            "tma.multicast_at is gpc, but no GPC's link of network.topology " + gpu.network.topology + " copies replies",
            "set network.topology: hierarchical_crossbar, or cluster.tma.multicast_at: source");
  b.require(!gpu.shared_memory_cache.on(), "sm", "warp_filter uses shared memory as a cache, and other SMs access it",
            "choose a policy that isolates no warps");
}

}  // namespace wharf

#include "platforms/designs/ata/ata_design.h"

#include <algorithm>
#include <string>

#include "platforms/frame/sharing_checks.h"

namespace wharf {

void AtaDesign::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("ata", params, "L1 caches whose tags a cluster has in one array");
  b.ineffective_unless(gpu.platform == "ata", "ata", "platform is not ata");
}

DesignFacts AtaDesign::facts(const GpuParams& gpu) const {
  DesignFacts facts;
  facts.between_sms = params.crossbar.carrier == Carrier::peer;
  facts.groups = facts.islands = gpu.groups_of(params.cluster_size);
  facts.uses_near_slices = true;
  return facts;
}

void AtaDesign::check(config::Binder& b, const GpuParams& gpu) const {
  const L1Params& l1 = gpu.l1;
  check_carrier(b, gpu, params.crossbar.carrier);
  check_group_size(b, gpu, "ata", "cluster_size", params.cluster_size);
  const std::uint32_t largest = gpu.groups_of(params.cluster_size).largest();
  const bool own = params.crossbar.carrier == Carrier::own;
  const std::uint32_t most = own ? AtaParams::kMostOnOwnCrossbars : AtaParams::kMostInCluster;
  b.require(largest <= most, "ata",
            "cluster_size: clusters have " + std::to_string(largest) + " SMs, but " +
                (own ? "a crossbar of their own joins" : "a tag array has the tags of") + " at most " + std::to_string(most),
            own ? "choose smaller ones, or ata.crossbar.carrier: peer" : "choose smaller ones");
  b.require(!params.store_invalidates_cluster || params.request_queue + 1 >= largest, "ata",
            "request_queue: " + std::to_string(params.request_queue) + " cannot hold an invalidation for every other L1 of a cluster",
            "make it at least " + std::to_string(largest - 1));
  b.require(gpu.transaction == TransactionUnit::line && l1.sectored && gpu.l2.sectored, "l1",
            "and L2 must be looked up by line and keep sectors: a hit vector says which sectors each L1 has (ATA-O14)",
            "set transaction: line, l1.sectored: true and l2.sectored: true");
  b.require(!gpu.single_l1, "l1", "single leaves no other L1 to share with", "set l1.single: false");
  b.require(l1.banks == 1, "l1", "banks: one access per cycle is looked up, in order (ATA-O11)", "set l1.banks: 1");
  b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores that L2 does not have (ATA-O6)",
            "set l1.local_stores: as_global");
}

SharesL1s::Reach AtaDesign::reach(const GpuParams& gpu) const {
  const std::uint32_t now = gpu.groups_of(params.cluster_size).largest();
  if (gpu.network.peers_on(PeerNetwork::cluster)) return reach_in_gpcs(gpu, now, "ata.cluster_size");
  for (std::uint32_t size = now + 1; size <= std::min(gpu.sms, AtaParams::kMostOnOwnCrossbars); ++size)
    if (gpu.sms % size == 0) return {now, "ata.cluster_size", std::to_string(size)};
  return {now, {}, {}};
}

}  // namespace wharf

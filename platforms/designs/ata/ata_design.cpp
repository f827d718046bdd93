#include "platforms/designs/ata/ata_design.h"

#include <algorithm>
#include <string>

#include "platforms/frame/carrier_check.h"

namespace wharf {

void AtaDesign::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("ata", params, "L1 caches whose tags a cluster has in one array");
  b.ineffective_unless(gpu.platform == "ata", "ata", "platform is not ata");
}

DesignFacts AtaDesign::facts(const GpuParams&) const {
  DesignFacts facts;
  facts.between_sms = params.crossbar.carrier == Carrier::peer;
  facts.cluster_sms = facts.island_sms = params.cluster_size;
  return facts;
}

void AtaDesign::check(config::Binder& b, const GpuParams& gpu) const {
  const L1Params& l1 = gpu.l1;
  check_carrier(b, gpu, params.crossbar.carrier);
  b.require(gpu.sms % params.cluster_size == 0, "sms", "are not whole clusters of ata.cluster_size", "make sms a multiple of it");
  b.require(gpu.transaction == TransactionUnit::line && l1.sectored && gpu.l2.sectored, "l1",
            "and L2 must be looked up by line and keep sectors: a hit vector says which sectors each L1 has (ATA-O14)",
            "set transaction: line, l1.sectored: true and l2.sectored: true");
  b.require(!gpu.single_l1, "l1", "single leaves no other L1 to share with", "set l1.single: false");
  b.require(l1.banks == 1, "l1", "banks: one access per cycle is looked up, in order (ATA-O11)", "set l1.banks: 1");
  b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores that L2 does not have (ATA-O6)",
            "set l1.local_stores: as_global");
}

SharesL1s::Reach AtaDesign::reach(const GpuParams& gpu) const {
  for (std::uint32_t size = params.cluster_size + 1; size <= std::min(gpu.sms, AtaParams::kMostInCluster); ++size)
    if (gpu.sms % size == 0) return {params.cluster_size, "ata.cluster_size", std::to_string(size)};
  return {params.cluster_size, {}, {}};
}

}  // namespace wharf

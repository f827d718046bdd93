#include "platforms/designs/shared_l1/shared_l1_design.h"

#include <string>

#include "platforms/frame/sharing_checks.h"

namespace wharf {

void SharedL1Design::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("shared_l1", params, "L1 caches that are homes for all SMs");
  b.ineffective_unless(gpu.platform == "shared_l1", "shared_l1", "platform is not shared_l1");
}

DesignFacts SharedL1Design::facts(const GpuParams& gpu) const {
  DesignFacts facts;
  facts.between_sms = true;
  facts.islands = gpu.groups_of(1);
  facts.groups = gpu.groups_of(params.group_sms);
  facts.uses_near_slices = true;
  return facts;
}

void SharedL1Design::check(config::Binder& b, const GpuParams& gpu) const {
  b.require(!gpu.single_l1, "l1", "single has no neighbours to share with", "set l1.single: false, or platform: private");
  b.require(gpu.l1.banks == 1, "l1", "banks: a home looks up one access per cycle (shared_l1 section 6)", "set l1.banks: 1");
  b.require(gpu.l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores in an L1 that others read",
            "set l1.local_stores: as_global");
  b.require(gpu.transaction == TransactionUnit::line, "transaction", "sector: homes are homes of lines", "set transaction: line");
  check_group_size(b, gpu, "shared_l1", "group_sms", params.group_sms);
  b.require(params.home_map != "slice_range", "shared_l1", "home_map: slice_range gives homes to DC-L1 nodes only (DC-4)",
            "choose another home_map");
}

SharesL1s::Reach SharedL1Design::reach(const GpuParams& gpu) const {
  const std::uint32_t sms = ever_shares(params.organisation) ? gpu.groups_of(params.group_sms).largest() : 1;
  if (params.organisation != "shared") return {sms, "shared_l1.organisation", "shared"};
  if (gpu.network.peers_on(PeerNetwork::cluster)) return reach_in_gpcs(gpu, sms, "shared_l1.group_sms");
  return sms == gpu.sms ? Reach{sms, {}, {}} : Reach{sms, "shared_l1.group_sms", "0"};
}

}  // namespace wharf

#include "model/rtl/catalogue.h"

#include "model/rtl/lockstep.h"
#include "model/rtl/members.h"
#include "policies/arbitration/catalogue.h"

namespace wharf::rtl {
namespace {

std::unique_ptr<HitPredictor> make_bloom_lockstep(const HitPredictorOptions& options) {
  return std::make_unique<LockstepHitPredictor>(make_hit_predictor("bloom", options), make_bloom_rtl(options));
}

std::unique_ptr<SharingPredictor> make_pc_two_bit_lockstep(const SharingPredictorOptions& options) {
  return std::make_unique<LockstepSharingPredictor>(make_sharing_predictor("pc_two_bit", options), make_pc_two_bit_rtl(options));
}

std::unique_ptr<arbitration::PortAllocator> make_islip_lockstep(unsigned inputs, unsigned outputs, unsigned iterations) {
  return std::make_unique<LockstepAllocator>(arbitration::make("islip", inputs, outputs, iterations),
                                             make_islip_rtl(inputs, outputs, iterations));
}

std::unique_ptr<ClusterTags> make_tag_array_lockstep(const ClusterShape& shape) {
  return std::make_unique<LockstepClusterTags>(cluster_tags::make("map", shape), make_tag_array_rtl(shape));
}

}  // namespace

bool is_built() { return true; }

void add_to_catalogues() {
  add_hit_predictor({kBloomRtl.name, kBloomRtl.help, make_bloom_rtl});
  add_hit_predictor({kBloomLockstep.name, kBloomLockstep.help, make_bloom_lockstep});
  add_sharing_predictor({kPcTwoBitRtl.name, kPcTwoBitRtl.help, make_pc_two_bit_rtl});
  add_sharing_predictor({kPcTwoBitLockstep.name, kPcTwoBitLockstep.help, make_pc_two_bit_lockstep});
  arbitration::add({kIslipRtl.name, kIslipRtl.help, make_islip_rtl, true});
  arbitration::add({kIslipLockstep.name, kIslipLockstep.help, make_islip_lockstep, true});
  cluster_tags::add({kTagArrayRtl.name, kTagArrayRtl.help, make_tag_array_rtl});
  cluster_tags::add({kTagArrayLockstep.name, kTagArrayLockstep.help, make_tag_array_lockstep});
}

}  // namespace wharf::rtl

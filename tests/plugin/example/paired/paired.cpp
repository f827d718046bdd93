#include "paired.h"

namespace example {

void PairedDesign::bind(wharf::config::Binder& b, const wharf::GpuParams& gpu) {
  b.group("paired", params, "neighbours that share one L1");
  b.ineffective_unless(gpu.platform == "paired", "paired", "platform is not paired");
}

void PairedDesign::check(wharf::config::Binder& b, const wharf::GpuParams& gpu) const {
  b.require(gpu.sms % params.sms == 0, "sms", "are not whole groups of paired.sms", "make sms a multiple of it");
  b.require(!gpu.single_l1 && gpu.sm.unified_kib == 0 && !gpu.shared_memory_cache.on(), "l1", "is of one SM or of all",
            "set l1.single: false, sm.unified_kib: 0 and a policy that isolates no warps");
  b.require(gpu.l1.store_hit == wharf::StoreHit::evict && gpu.l1.store_miss == wharf::StoreMiss::no_allocate &&
                gpu.l1.local_stores == wharf::LocalStores::as_global,
            "l1", "keeps written data: stores of two SMs reach L2 in another order than this cache",
            "set l1.store_hit: evict, l1.store_miss: no_allocate and l1.local_stores: as_global");
}

PairedPlatform::PairedPlatform(const wharf::GpuParams& params, const wharf::RunOptions& options, wharf::Stimulus& stimulus,
                               wharf::stats::Registry& registry, wharf::RunObserver& observer)
    : PrivatePlatform(params, options, stimulus, registry, observer, {{}, {}, false, params.of<PairedParams>().sms}) {}

}  // namespace example

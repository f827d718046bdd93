#pragma once
// The private-L1 GPU: SM - L1 - NIC - crossbar - NIC - L2 - DRAM. With l1.single one L1 stands for all (DC-20).

#include <functional>

#include "model/nic/sm_nic.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

class PrivatePlatform : public GpuFrame {
 public:
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer)
      : PrivatePlatform(params, options, stimulus, registry, observer, Additions{}) {}

 protected:
  /// The cluster of an SM's L1, null where it is in none.
  using ClusterOf = std::function<const ClusterPlace*(unsigned sm)>;
  /// What a platform built on this one adds to it.
  struct Additions {
    ClusterOf cluster_of;
    TrafficPlan plan;
    bool connects_slices = false;  // it does so itself, once its base is there
  };
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer,
                  const Additions& additions);

 private:
  void build_caches(const ClusterOf& cluster_of);
  void build_network(const Additions& additions);

  std::vector<std::unique_ptr<SmNic>> sm_nics_;
};

}  // namespace wharf

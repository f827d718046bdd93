#pragma once
// The private-L1 GPU: SM - L1 - NIC - crossbar - NIC - L2 - DRAM. With l1.single, one L1 serves all SMs (DC-20). Platforms that change
// little of this GPU derive from it.

#include <functional>

#include "model/nic/sm_nic.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

class PrivatePlatform : public GpuFrame {
 public:
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer)
      : PrivatePlatform(params, options, stimulus, registry, observer, Additions{}, true) {}
  ~PrivatePlatform() override;

 protected:
  /// Returns the companion of an SM's L1 in this design. An empty function means that there is none.
  using CompanionOf = std::function<L1Cache::MakeCompanion(unsigned sm)>;
  /// The additions of a derived platform.
  struct Additions {
    CompanionOf companion_of;
    TrafficPlan plan;
    bool connects_slices = false;  // the derived platform connects the slices itself, after this base is constructed
    unsigned sms_an_l1 = 1;        // neighbouring SMs that share an L1; with l1.single all SMs share one
  };
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer,
                  const Additions& additions)
      : PrivatePlatform(params, options, stimulus, registry, observer, additions, false) {}
  SmNic& sm_nic(unsigned sm) { return *sm_nics_[sm]; }

 private:
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer,
                  const Additions& additions, bool plain);
  /// Without additions, all its blocks belong to the frame, and its network interfaces have no state to save.
  bool archive_design(Archive&) override { return plain_; }
  void build_caches(const CompanionOf& companion_of, unsigned ports);
  void build_network(const Additions& additions, unsigned ports);

  std::vector<std::unique_ptr<SmNic>> sm_nics_;
  const bool plain_;  // no platform is derived from it
};

}  // namespace wharf

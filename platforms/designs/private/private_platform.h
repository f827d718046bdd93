#pragma once
// The private-L1 GPU: SM - L1 - NIC - crossbar - NIC - L2 - DRAM. With l1.single one L1 stands for all (DC-20). Platforms that change
// little in it are built on it.

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
  /// What stands beside an SM's L1 in this design; empty: nothing.
  using CompanionOf = std::function<L1Cache::MakeCompanion(unsigned sm)>;
  /// What a platform built on this one adds to it.
  struct Additions {
    CompanionOf companion_of;
    TrafficPlan plan;
    bool connects_slices = false;  // it does so itself, once its base is there
    unsigned sms_an_l1 = 1;        // neighbours that share one; with l1.single all do
  };
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer,
                  const Additions& additions)
      : PrivatePlatform(params, options, stimulus, registry, observer, additions, false) {}

 private:
  PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer,
                  const Additions& additions, bool plain);
  /// Where nothing is added, all its blocks are the frame's, and its network interfaces keep nothing.
  bool archive_design(Archive&) override { return plain_; }
  void build_caches(const CompanionOf& companion_of, unsigned ports);
  void build_network(const Additions& additions, unsigned ports);

  std::vector<std::unique_ptr<SmNic>> sm_nics_;
  const bool plain_;  // nothing is built on it
};

}  // namespace wharf

#pragma once
// The GPU whose L1 caches serve one SM or all SMs: SM - home router + L1 - network - NIC - L2 - DRAM (shared_l1).

#include "model/designs/shared_l1/home_router.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

class SharedL1Platform final : public GpuFrame {
 public:
  SharedL1Platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                   RunObserver& observer);

  std::vector<PhaseSpan> phases(Cycle end) const override;

 private:
  bool archive_design(Archive& file) override;
  void build_node(unsigned sm);

  const SharedL1Params& shared_l1_ = params_.of<SharedL1Params>();
  const SmGroups groups_ = params_.facts().groups;
  std::vector<std::unique_ptr<HomeRouterLogic>> router_logics_;
  std::vector<std::unique_ptr<HomeRouter>> routers_;
};

}  // namespace wharf

#pragma once
// The design shared_l1: its parameter group `shared_l1`, and its requirements on the rest of the GPU.

#include "model/designs/shared_l1/shared_l1_params.h"
#include "platforms/frame/design.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

class SharedL1Design final : public ParamsOf<SharedL1Params>, public SharesL1s {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<SharedL1Design>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  DesignFacts facts(const GpuParams& gpu) const override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
  Reach reach(const GpuParams& gpu) const override;
};

}  // namespace wharf

#pragma once
// The design with private L1s. It has no parameters of its own.

#include "platforms/frame/gpu_params.h"

namespace wharf {

class PrivateDesign final : public Design {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<PrivateDesign>(*this); }
  DesignFacts facts(const GpuParams& gpu) const override {
    DesignFacts facts;
    facts.islands = gpu.groups_of(gpu.single_l1 ? 0 : 1);
    facts.sees_all_stores = true;
    facts.uses_near_slices = true;
    return facts;
  }
};

}  // namespace wharf

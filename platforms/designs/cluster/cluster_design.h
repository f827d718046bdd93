#pragma once
// The design cluster: its parameter group `cluster`, and its requirements on the rest of the GPU.

#include "model/designs/cluster/cluster_params.h"
#include "platforms/frame/design.h"

namespace wharf {

class ClusterDesign final : public ParamsOf<ClusterParams> {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<ClusterDesign>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  DesignFacts facts(const GpuParams& gpu) const override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
};

}  // namespace wharf

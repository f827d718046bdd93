#pragma once
// The design dc_l1: its parameter group `dc_l1`, and its requirements on the rest of the GPU.

#include "model/designs/dc_l1/dc_l1_params.h"
#include "platforms/frame/design.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

class DcL1Design final : public ParamsOf<DcL1Params>, public SharesL1s {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<DcL1Design>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  DesignFacts facts(const GpuParams& gpu) const override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
  Reach reach(const GpuParams& gpu) const override;

 private:
  /// SMs of a cluster, as GpuParams::groups_of takes them.
  std::uint32_t cluster_sms(const GpuParams& gpu) const;
};

}  // namespace wharf

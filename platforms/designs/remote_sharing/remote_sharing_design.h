#pragma once
// The design remote_sharing: its parameter group `remote_sharing`, and its requirements on the rest of the GPU.

#include "model/designs/remote_sharing/probe_params.h"
#include "platforms/frame/design.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

class RemoteSharingDesign final : public ParamsOf<RemoteSharingParams>, public SharesL1s {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<RemoteSharingDesign>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  DesignFacts facts(const GpuParams& gpu) const override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
  Reach reach(const GpuParams& gpu) const override;
};

}  // namespace wharf

#pragma once
// The design ata: its parameter group `ata`, and its requirements on the rest of the GPU.

#include "model/designs/ata/ata_params.h"
#include "platforms/frame/design.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

class AtaDesign final : public ParamsOf<AtaParams>, public SharesL1s {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<AtaDesign>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  DesignFacts facts(const GpuParams& gpu) const override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
  Reach reach(const GpuParams& gpu) const override;
};

}  // namespace wharf

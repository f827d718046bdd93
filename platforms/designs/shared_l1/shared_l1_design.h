#pragma once
// What shared_l1 says of a GPU: the group `shared_l1`, and what homes ask of the rest.

#include "model/designs/shared_l1/shared_l1_params.h"
#include "platforms/frame/design.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

class SharedL1Design final : public ParamsOf<SharedL1Params>, public SharesL1s {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<SharedL1Design>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  DesignFacts facts(const GpuParams&) const override {
    DesignFacts facts;
    facts.between_sms = true;
    return facts;
  }
  void check(config::Binder& b, const GpuParams& gpu) const override;
  Reach reach(const GpuParams& gpu) const override;
};

}  // namespace wharf

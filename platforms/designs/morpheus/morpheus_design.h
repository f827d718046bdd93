#pragma once
// What morpheus and the characterisation of its kernel say of a GPU: the groups `morpheus` and `closed_loop`, and what an extended LLC
// asks of the rest.

#include "model/designs/morpheus/cache_mode/closed_loop_params.h"
#include "model/designs/morpheus/morpheus_params.h"
#include "platforms/frame/design.h"

namespace wharf {

class MorpheusDesign final : public ParamsOf<MorpheusParams> {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<MorpheusDesign>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
  DesignFacts facts(const GpuParams& gpu) const override;
};

class CharacteriseDesign final : public ParamsOf<ClosedLoopParams> {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<CharacteriseDesign>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  void check(config::Binder& b, const GpuParams& gpu) const override;
};

/// Of the L2 slices, as morpheus.banks_per_partition says.
std::uint32_t partitions(const GpuParams& gpu);

}  // namespace wharf

#pragma once
// The designs morpheus and characterise: their parameter groups `morpheus` and `closed_loop`, and the requirements of an extended LLC on
// the rest of the GPU.

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

/// Number of partitions of the L2 slices, from morpheus.banks_per_partition.
std::uint32_t partitions(const GpuParams& gpu);

}  // namespace wharf

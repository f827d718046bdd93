#pragma once
// An own design: neighbours share one L1, which has the capacity, the ports and the MSHRs of all of their L1s together.

#include "platforms/designs/private/private_platform.h"

namespace example {

struct PairedParams {
  std::uint32_t sms = 2;

  void bind(wharf::config::Binder& b) { b.integer("sms", sms, wharf::config::Unit::count, "SMs that share one L1", 2, 16); }
};

/// The group `paired`, and the requirements of a shared L1 for the other parameters.
class PairedDesign final : public wharf::ParamsOf<PairedParams> {
 public:
  std::unique_ptr<wharf::Design> copy() const override { return std::make_unique<PairedDesign>(*this); }
  void bind(wharf::config::Binder& b, const wharf::GpuParams& gpu) override;
  void check(wharf::config::Binder& b, const wharf::GpuParams& gpu) const override;
  wharf::DesignFacts facts(const wharf::GpuParams& gpu) const override {
    wharf::DesignFacts facts;
    facts.caches = gpu.sms / params.sms;
    return facts;
  }
};

class PairedPlatform final : public wharf::PrivatePlatform {
 public:
  PairedPlatform(const wharf::GpuParams& params, const wharf::RunOptions& options, wharf::Stimulus& stimulus,
                 wharf::stats::Registry& registry, wharf::RunObserver& observer);
};

}  // namespace example

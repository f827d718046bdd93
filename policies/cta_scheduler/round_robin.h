#pragma once
// One CTA per eligible SM in ascending order, round after round until all are full; then to the SM that freed a slot, the lowest
// first where several did (CM-27). CTAs are given out in ascending order.

#include <cstddef>
#include <utility>

#include "policies/cta_scheduler/cta_scheduler.h"

namespace wharf {

class RoundRobinCtas final : public CtaScheduler {
 public:
  void start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) override {
    eligible_ = std::move(eligible);
    ctas_ = ctas;
    next_cta_ = 0;
    turn_ = 0;
  }
  std::optional<Dispatch> next(const Room& room) override;

 private:
  std::vector<std::uint32_t> eligible_;
  std::uint64_t ctas_ = 0, next_cta_ = 0;
  std::size_t turn_ = 0;  // index in eligible_ of the SM that is first to be asked
};

}  // namespace wharf

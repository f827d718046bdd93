#pragma once
// One CTA per eligible SM in ascending order, round after round until all SMs are full; then each CTA goes to the SM that has freed a slot.
// CTAs are dispatched in ascending order. Where several SMs have room, the first after a pointer is served. The pointer restarts at the
// lowest SM with every kernel and whenever all SMs are full (CM-27), or continues from the SM served last, across kernels too (dc_l1, as in
// its source's simulator).

#include <cstddef>
#include <utility>

#include "policies/cta_scheduler/cta_scheduler.h"

namespace wharf {

class RoundRobinCtas final : public CtaScheduler {
 public:
  enum class Pointer { restarts, continues };
  explicit RoundRobinCtas(Pointer pointer = Pointer::restarts) : continues_(pointer == Pointer::continues) {}

  void start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) override {
    eligible_ = std::move(eligible);
    ctas_ = ctas;
    next_cta_ = 0;
    if (!continues_) turn_ = 0;
  }
  std::optional<Dispatch> next(const Room& room) override;
  /// Where all CTAs fit at once, each round of the first cycles gives every SM one. Where they do not, an SM's share does not fit it either.
  bool keeps_to_shares() const override { return true; }
  bool archive(Archive& file) override;

 private:
  const bool continues_;
  std::vector<std::uint32_t> eligible_;
  std::uint64_t ctas_ = 0, next_cta_ = 0;
  std::size_t turn_ = 0;  // the pointer: index in eligible_ of the SM that is tried first
};

}  // namespace wharf

#pragma once
// The address layout of local memory (CM-43): word by word, with the thread slots of all SMs side by side. The 32 lanes of a warp find one
// word of their stacks in one line, and successive CTAs of a slot use the same lines.

#include <cstdint>

#include "model/base/types.h"
#include "stimuli/stimulus.h"

namespace wharf {

class LocalLayout {
 public:
  /// Translates nothing: addresses of local space are final.
  LocalLayout() = default;
  /// For a kernel whose local addresses are stack offsets, on SM `sm` of `sms`; an SM holds at most `ctas_per_sm` of its CTAs.
  LocalLayout(const KernelLaunch& kernel, std::uint32_t ctas_per_sm, std::uint32_t sms, std::uint32_t sm)
      : warps_per_cta_(kernel.warps_per_cta()), sms_(sms), sm_(sm) {
    const std::uint64_t needed = (kernel.grid.count() + sms - 1) / sms;  // fewer where the grid does not fill all slots
    slots_ = std::uint64_t{warps_per_cta_} * kLanes * sms * (needed < ctas_per_sm ? needed : ctas_per_sm);
  }

  bool translates() const { return slots_ != 0; }
  /// Address of the byte at `offset` in the stack of lane `lane` of warp slot `warp`.
  Address address(unsigned warp, unsigned lane, Address offset) const {
    const std::uint64_t cta_slot = warp / warps_per_cta_, thread = (warp % warps_per_cta_) * std::uint64_t{kLanes} + lane;
    const std::uint64_t slot = warps_per_cta_ * std::uint64_t{kLanes} * (sm_ + sms_ * cta_slot) + thread;
    return kBase + kWordBytes * (offset / kWordBytes * slots_ + slot) + offset % kWordBytes;
  }

  static constexpr Address kBase = 0x1F880000;
  static constexpr unsigned kWordBytes = 4;

 private:
  std::uint64_t slots_ = 0;  // thread slots of all SMs
  std::uint32_t warps_per_cta_ = 1, sms_ = 1, sm_ = 0;
};

}  // namespace wharf

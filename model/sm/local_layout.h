#pragma once
// The address layout of local memory (CM-43): word by word, with the thread slots of all SMs side by side. One word of the stacks of a
// warp's 32 lanes lies in one line, and successive CTAs of a slot use the same lines. If kernels share an SM, a thread's place depends only
// on its warp slot, so that threads that run together never share a place.

#include <cstdint>
#include <string>

#include "model/base/error.h"
#include "model/base/types.h"
#include "stimuli/stimulus.h"

namespace wharf {

class LocalLayout {
 public:
  /// Of no kernel.
  LocalLayout() = default;
  /// For `kernel`, which must outlive this object, on SM `sm` of `sms`. Its CTAs use the first `ctas_per_sm` slots of an SM.
  LocalLayout(const KernelLaunch& kernel, std::uint32_t ctas_per_sm, std::uint32_t sms, std::uint32_t sm)
      : LocalLayout(kernel, kernel.warps_per_cta(), ctas_per_sm, sms, sm) {}
  /// For `kernel`, which must outlive this object, on SM `sm` of `sms`. It uses the first warp slots of an SM, as `slots_per_sm` slots of
  /// `warps_per_slot` warps: those of a CTA, or single warps if kernels share the SM. Throws InputError if its local arrays would reach
  /// into other arrays.
  LocalLayout(const KernelLaunch& kernel, std::uint32_t warps_per_slot, std::uint32_t slots_per_sm, std::uint32_t sms, std::uint32_t sm)
      : kernel_(&kernel),
        slots_(std::uint64_t{warps_per_slot} * kLanes * sms * slots_per_sm),
        warps_per_slot_(warps_per_slot),
        sms_(sms),
        sm_(sm) {
    if (kernel.frame.bytes() * slots_ > kEnd - kBase)
      throw InputError("kernel '" + kernel.name + "': " + std::to_string(kernel.frame.bytes()) + " bytes of local memory for each of " +
                       std::to_string(slots_) + " threads are more than the " + std::to_string(kEnd - kBase) +
                       " that there are; use smaller local arrays, fewer SMs or sm.local_memory=as_given");
  }

  /// Returns the offset in the thread's stack of an access whose instruction gives `address`. Throws SimulationError if the kernel has no
  /// such local array.
  Address offset(Address address, unsigned access_bytes) const { return kernel_->stack_offset(address, access_bytes); }
  /// Address of the byte at `offset` in the stack of lane `lane` of warp slot `warp`.
  Address address(unsigned warp, unsigned lane, Address offset) const {
    const std::uint64_t sm_slot = warp / warps_per_slot_, thread = (warp % warps_per_slot_) * std::uint64_t{kLanes} + lane;
    const std::uint64_t slot = warps_per_slot_ * std::uint64_t{kLanes} * (sm_ + sms_ * sm_slot) + thread;
    return kBase + kWordBytes * (offset / kWordBytes * slots_ + slot) + offset % kWordBytes;
  }

  static constexpr Address kBase = 0x1F880000;
  static constexpr Address kEnd = Address{1} << 32;  // start of the arrays of stimuli
  static constexpr unsigned kWordBytes = 4;

 private:
  const KernelLaunch* kernel_ = nullptr;
  std::uint64_t slots_ = 0;  // thread slots of all SMs
  std::uint32_t warps_per_slot_ = 1, sms_ = 1, sm_ = 0;
};

}  // namespace wharf

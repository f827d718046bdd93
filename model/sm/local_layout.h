#pragma once
// The address layout of local memory (CM-43): word by word, with the thread slots of all SMs side by side. The 32 lanes of a warp find one
// word of their stacks in one line, and successive CTAs of a slot use the same lines. Where kernels share an SM, a
// thread's place follows from its warp slot alone, so that no two threads that run together have the same.

#include <cstdint>
#include <string>

#include "model/base/error.h"
#include "model/base/types.h"
#include "stimuli/stimulus.h"

namespace wharf {

class LocalLayout {
 public:
  /// Translates nothing: addresses of local space are final.
  LocalLayout() = default;
  /// For `kernel`, which must outlive this, on SM `sm` of `sms`; its CTAs have the first `ctas_per_sm` slots of an SM.
  LocalLayout(const KernelLaunch& kernel, std::uint32_t ctas_per_sm, std::uint32_t sms, std::uint32_t sm)
      : LocalLayout(kernel, kernel.warps_per_cta(), ctas_per_sm, sms, sm) {}
  /// For `kernel`, which must outlive this, on SM `sm` of `sms`, whose warp slots are the first of `slots_per_sm` slots of `warps_per_slot`
  /// warps: a CTA's, or single warps where kernels share the SM. Throws InputError where its local arrays would reach into other arrays.
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

  bool translates() const { return slots_ != 0; }
  /// Offset in its thread's stack of an access that the kernel's instruction gives as `address`. Throws SimulationError where the kernel
  /// has no such local array.
  Address offset(Address address, unsigned access_bytes) const { return kernel_->stack_offset(address, access_bytes); }
  /// Address of the byte at `offset` in the stack of lane `lane` of warp slot `warp`.
  Address address(unsigned warp, unsigned lane, Address offset) const {
    const std::uint64_t sm_slot = warp / warps_per_slot_, thread = (warp % warps_per_slot_) * std::uint64_t{kLanes} + lane;
    const std::uint64_t slot = warps_per_slot_ * std::uint64_t{kLanes} * (sm_ + sms_ * sm_slot) + thread;
    return kBase + kWordBytes * (offset / kWordBytes * slots_ + slot) + offset % kWordBytes;
  }

  static constexpr Address kBase = 0x1F880000;
  static constexpr Address kEnd = Address{1} << 32;  // where arrays of stimuli begin
  static constexpr unsigned kWordBytes = 4;

 private:
  const KernelLaunch* kernel_ = nullptr;
  std::uint64_t slots_ = 0;  // thread slots of all SMs
  std::uint32_t warps_per_slot_ = 1, sms_ = 1, sm_ = 0;
};

}  // namespace wharf

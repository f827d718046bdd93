#pragma once
// The front end's record of one SM: the CTAs that it holds, and the resources that are left for another one.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/front_end/front_end_params.h"
#include "model/sm/sm_params.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// Resources that one CTA needs on an SM.
struct CtaNeeds {
  CtaNeeds() = default;
  CtaNeeds(const KernelLaunch& kernel, const SmParams& sm);
  std::uint64_t warps = 0, threads = 0, registers = 0, shared = 0;  // shared: bytes
};

class SmBooks {
 public:
  struct Cta {
    bool present = false;
    unsigned kernel = 0;  // its place
    CtaNeeds needs;
    std::uint32_t first_warp = 0;
    std::uint32_t cluster = kNoCluster;  // the owner's number of the running cluster
  };
  static constexpr std::uint32_t kNoCluster = ~0u;

  explicit SmBooks(const SmParams& sm) : ctas_(sm.ctas) {}

  std::uint32_t running() const { return running_; }
  const Cta& cta(std::uint32_t slot) const { return ctas_[slot]; }

  /// True if one more CTA of the kernel at place `kernel` fits.
  bool fits(unsigned kernel, const CtaNeeds& needs, const SmParams& sm, SmSharing sharing) const {
    if (running_ >= sm.ctas || used_.threads + needs.threads > sm.threads || used_.registers + needs.registers > sm.registers ||
        used_.shared + needs.shared > std::uint64_t{sm.shared_kib} * 1024 || used_.warps + needs.warps > sm.warps)
      return false;
    if (sharing == SmSharing::one_kernel && running_ != 0 && kernel_ != kernel) return false;
    return place_for(needs, sm) != kNone;
  }
  /// The number of CTAs of the kernel that fit beside those that are here.
  std::uint32_t room(unsigned kernel, const CtaNeeds& needs, const SmParams& sm, SmSharing sharing) const {
    if (!fits(kernel, needs, sm, sharing)) return 0;
    std::uint64_t room = std::min<std::uint64_t>(sm.ctas - running_, (sm.threads - used_.threads) / needs.threads);
    if (needs.registers != 0) room = std::min(room, (sm.registers - used_.registers) / needs.registers);
    if (needs.shared != 0) room = std::min(room, (std::uint64_t{sm.shared_kib} * 1024 - used_.shared) / needs.shared);
    std::uint64_t places = 0;
    Cta cta;
    for (cta.needs = needs; cta.first_warp + needs.warps <= sm.warps; cta.first_warp += static_cast<std::uint32_t>(needs.warps))
      places += (warps_ & mask_of(cta)) == 0 ? 1 : 0;
    return static_cast<std::uint32_t>(std::min(room, places));
  }
  /// Takes a CTA that fits. Returns its slot, the lowest that is free.
  std::uint32_t occupy(unsigned kernel, const CtaNeeds& needs, const SmParams& sm, std::uint32_t cluster = kNoCluster) {
    const auto free = std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& cta) { return !cta.present; });
    *free = {true, kernel, needs, place_for(needs, sm), cluster};
    warps_ |= mask_of(*free);
    add(needs, 1);
    ++running_;
    kernel_ = kernel;
    return static_cast<std::uint32_t>(free - ctas_.begin());
  }
  void release(std::uint32_t slot) {
    Cta& cta = ctas_[slot];
    cta.present = false;
    warps_ &= ~mask_of(cta);
    add(cta.needs, ~std::uint64_t{0});
    --running_;
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  static WarpMask mask_of(const Cta& cta) { return (~WarpMask{0} >> (kMaxWarps - cta.needs.warps)) << cta.first_warp; }
  /// Returns the first warp slots that are all free. They begin at a multiple of the CTA's size, so that CTAs of one kernel leave no gaps.
  std::uint32_t place_for(const CtaNeeds& needs, const SmParams& sm) const {
    Cta cta{true, 0, needs, 0, kNoCluster};
    for (; cta.first_warp + needs.warps <= sm.warps; cta.first_warp += static_cast<std::uint32_t>(needs.warps))
      if ((warps_ & mask_of(cta)) == 0) return cta.first_warp;
    return kNone;
  }
  void add(const CtaNeeds& needs, std::uint64_t sign) {
    used_.warps += sign * needs.warps;
    used_.threads += sign * needs.threads;
    used_.registers += sign * needs.registers;
    used_.shared += sign * needs.shared;
  }

  std::vector<Cta> ctas_;  // [slot]
  CtaNeeds used_;
  WarpMask warps_ = 0;  // warp slots that are taken
  std::uint32_t running_ = 0;
  unsigned kernel_ = 0;  // place of the kernel whose CTA was taken last
};

}  // namespace wharf

#pragma once
// The age order of up to 64 warps, on bit masks, because scheduling orders and filters use it every cycle.

#include <array>
#include <cstdint>

#include "model/base/bits.h"

namespace wharf {

/// One bit per warp slot.
using WarpMask = std::uint64_t;
inline constexpr unsigned kMaxWarps = 64;

constexpr WarpMask warp_bit(unsigned warp) { return WarpMask{1} << warp; }
constexpr unsigned lowest_warp(WarpMask nonempty) { return lowest_bit(nonempty); }

/// Total order of the resident warps: lower age first, ties to the lower slot.
class AgeOrder {
 public:
  /// A new warp of age `age` occupies slot `warp` < kMaxWarps.
  void launch(unsigned warp, std::uint64_t age) {
    resident_ &= ~warp_bit(warp);
    ages_[warp] = age;
    older_[warp] = 0;
    for (const unsigned other : set_bits(resident_)) {
      const bool other_is_older = ages_[other] != age ? ages_[other] < age : other < warp;
      if (other_is_older) {
        older_[warp] |= warp_bit(other);
        older_[other] &= ~warp_bit(warp);
      } else {
        older_[other] |= warp_bit(warp);
      }
    }
    resident_ |= warp_bit(warp);
  }

  void finish(unsigned warp) { resident_ &= ~warp_bit(warp); }

  WarpMask resident() const { return resident_; }

  /// The oldest of `among`, a non-empty set of resident warps.
  unsigned oldest(WarpMask among) const {
    // Slots are mostly filled in order of age, so the first candidate is nearly always the oldest.
    unsigned warp = lowest_warp(among);
    for (WarpMask older = older_[warp] & among; older != 0; older = older_[warp] & among) warp = lowest_warp(older);
    return warp;
  }

  /// The `count` oldest of `among`, or all where there are fewer.
  WarpMask oldest(WarpMask among, unsigned count) const {
    WarpMask chosen = 0;
    for (; count != 0 && among != 0; --count) {
      const WarpMask next = warp_bit(oldest(among));
      chosen |= next;
      among &= ~next;
    }
    return chosen;
  }

 private:
  WarpMask resident_ = 0;
  std::array<WarpMask, kMaxWarps> older_ = {};  // resident warps that are older; other bits are meaningless
  std::array<std::uint64_t, kMaxWarps> ages_ = {};
};

}  // namespace wharf

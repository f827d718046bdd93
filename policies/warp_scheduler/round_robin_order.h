#pragma once
// Loose round robin on a mask: the next warp after the last one, skipping warps that are not in the mask.

#include "policies/warp_scheduler/age_order.h"

namespace wharf {

/// The first member of `nonempty` after slot `last`, wrapping around.
constexpr unsigned next_after(unsigned last, WarpMask nonempty) {
  const WarpMask later = nonempty & (~WarpMask{0} << last << 1);
  return lowest_warp(later != 0 ? later : nonempty);
}

}  // namespace wharf

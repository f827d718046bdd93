#include "policies/warp_scheduler/two_level.h"

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "policies/warp_scheduler/round_robin_order.h"

namespace wharf {

int TwoLevel::pick(WarpMask ready, Cycle) const {
  if (ready == 0) return kNone;
  const WarpMask pending = ready & ~active_;
  const unsigned free_places = active_warps_ - popcount(active_);
  const WarpMask candidates = (ready & active_) | order_.oldest(pending, free_places);
  if (candidates == 0) return static_cast<int>(order_.oldest(pending));
  return static_cast<int>(next_after(last_, candidates));
}

void TwoLevel::issued(unsigned warp) {
  if ((active_ & warp_bit(warp)) == 0) {
    if (popcount(active_) >= active_warps_) active_ &= ~warp_bit(longest_without_issue());
    active_ |= warp_bit(warp);
  }
  last_ = warp;
  issued_at_[warp] = ++issues_;
}

void TwoLevel::warp_finished(unsigned warp) {
  order_.finish(warp);
  active_ &= ~warp_bit(warp);
}

unsigned TwoLevel::longest_without_issue() const {
  unsigned longest = lowest_warp(active_);
  for (const unsigned warp : set_bits(active_))
    if (issued_at_[warp] < issued_at_[longest]) longest = warp;
  return longest;
}

bool TwoLevel::archive(Archive& file) {
  file(order_, active_, last_, issues_, issued_at_);
  return true;
}

}  // namespace wharf

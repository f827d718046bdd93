// Follows the barriers of a CTA.
#include "stimuli/ptx/execution/barrier_state.h"

#include "model/base/bits.h"

namespace wharf::ptx {

void BarrierState::arrive(unsigned warp, const BarrierUse& use, std::uint32_t pc) {
  barriers_.arrive(warp, use);
  if (!use.arrives_only) waiting_ |= CtaBarriers::Warps{1} << warp;
  pcs_[use.number] = pc;
  open(use.number);
}

void BarrierState::end_warp(unsigned warp) {
  ended_ |= CtaBarriers::Warps{1} << warp;
  for (const unsigned number : set_bits(barriers_.in_use())) open(number);
}

void BarrierState::open(unsigned number) {
  waiting_ &= ~barriers_.open(number, members_, ended_);
  if ((barriers_.in_use() >> number & 1) == 0) votes_[number].reset();
}

unsigned BarrierState::live_warps() const { return popcount(members_ & ~ended_); }

std::vector<BarrierState::Stuck> BarrierState::stuck() const {
  std::vector<Stuck> all;
  if ((waiting_ | ended_) != members_) return all;
  for (const unsigned number : set_bits(barriers_.in_use())) {
    if (barriers_.waiting(number) == 0) continue;
    const std::uint32_t expected = barriers_.expected(number);
    all.push_back(
        {number, lowest_bit(barriers_.waiting(number)), pcs_[number], barriers_.arrivals(number), expected == 0 ? live_warps() : expected});
  }
  return all;
}

}  // namespace wharf::ptx

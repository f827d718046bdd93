#pragma once
// Two-level scheduling: round robin inside a small active set; a warp leaves it when it waits for memory or a barrier, and the
// oldest ready of the pending warps takes the place. Source: morpheus section 2.4 (pool, demotion, promotion).
//
// Where the sources are silent: a set that is full of warps in short stalls gives up the one that issued longest ago rather than
// idle while a pending warp is ready. So a warp filter that masks the whole active set cannot stop the scheduler for good.

#include <array>
#include <cstdint>

#include "policies/warp_scheduler/warp_scheduler.h"

namespace wharf {

class TwoLevel final : public WarpScheduler {
 public:
  /// `active_warps` >= 1; from kMaxWarps on it is plain loose round robin.
  explicit TwoLevel(std::uint32_t active_warps) : active_warps_(active_warps) {}

  int pick(WarpMask ready, Cycle now) const override;
  void issued(unsigned warp) override;
  void warp_launched(unsigned warp, std::uint64_t age) override { order_.launch(warp, age); }
  void warp_finished(unsigned warp) override;
  void stalled_long(unsigned warp) override { active_ &= ~warp_bit(warp); }

  /// The warps that hold a place. A promoted warp takes it when it issues.
  WarpMask active() const { return active_; }

 private:
  unsigned longest_without_issue() const;

  AgeOrder order_;
  WarpMask active_ = 0;
  std::uint32_t active_warps_;
  unsigned last_ = kMaxWarps - 1;
  std::uint64_t issues_ = 0;
  std::array<std::uint64_t, kMaxWarps> issued_at_ = {};  // value of issues_ at the last issue
};

}  // namespace wharf

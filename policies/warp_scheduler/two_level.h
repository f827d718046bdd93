#pragma once
// Two-level scheduling: round robin within a small active set. A warp leaves the set when it waits for memory or a barrier, and the oldest
// ready pending warp takes its place. Source: morpheus section 2.4 (pool, demotion, promotion).
//
// Where the sources are silent: if all warps of a full set are in short stalls while a pending warp is ready, the warp that issued longest
// ago gives up its place. A warp filter that masks the whole active set therefore cannot stop the scheduler for good.

#include <array>
#include <cstdint>

#include "policies/warp_scheduler/warp_scheduler.h"

namespace wharf {

class TwoLevel final : public WarpScheduler {
 public:
  /// `active_warps` >= 1; from kMaxWarps on, it is plain loose round robin.
  explicit TwoLevel(std::uint32_t active_warps) : active_warps_(active_warps) {}

  int pick(WarpMask ready, Cycle now) const override;
  void issued(unsigned warp) override;
  void warp_launched(unsigned warp, std::uint64_t age) override { order_.launch(warp, age); }
  void warp_finished(unsigned warp) override;
  void stalled_long(unsigned warp) override { active_ &= ~warp_bit(warp); }
  bool archive(Archive& file) override;

  /// The warps that hold a place. A promoted warp takes its place when it issues.
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

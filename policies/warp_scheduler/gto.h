#pragma once
// Greedy then oldest (ciao section 3.1): stay with the warp that issued last; when it cannot issue, take the oldest ready warp.

#include "model/base/archive.h"
#include "policies/warp_scheduler/warp_scheduler.h"

namespace wharf {

class GreedyThenOldest final : public WarpScheduler {
 public:
  int pick(WarpMask ready, Cycle) const override {
    if (ready == 0) return kNone;
    return static_cast<int>(lowest_warp((ready & greedy_) != 0 ? greedy_ : warp_bit(order_.oldest(ready))));
  }
  void issued(unsigned warp) override { greedy_ = warp_bit(warp); }
  void warp_launched(unsigned warp, std::uint64_t age) override { order_.launch(warp, age); }
  void warp_finished(unsigned warp) override {
    order_.finish(warp);
    greedy_ &= ~warp_bit(warp);  // the next warp in this slot has no priority
  }
  void stalled_long(unsigned) override {}
  bool archive(Archive& file) override {
    file(order_, greedy_);
    return true;
  }

 private:
  AgeOrder order_;
  WarpMask greedy_ = 0;  // the warp that issued last, or none
};

}  // namespace wharf

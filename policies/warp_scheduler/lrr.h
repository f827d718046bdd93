#pragma once
// Loose round robin: the ready warp in the next slot after the last one that issued. The order of volta_qv100 (CM-38).

#include "model/base/archive.h"
#include "policies/warp_scheduler/round_robin_order.h"
#include "policies/warp_scheduler/warp_scheduler.h"

namespace wharf {

class LooseRoundRobin final : public WarpScheduler {
 public:
  int pick(WarpMask ready, Cycle) const override { return ready == 0 ? kNone : static_cast<int>(next_after(last_, ready)); }
  void issued(unsigned warp) override { last_ = warp; }
  void warp_launched(unsigned, std::uint64_t) override {}
  void warp_finished(unsigned) override {}
  void stalled_long(unsigned) override {}
  bool archive(Archive& file) override {
    file(last_);
    return true;
  }

 private:
  unsigned last_ = kMaxWarps - 1;  // so that slot 0 comes first
};

}  // namespace wharf

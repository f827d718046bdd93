#pragma once
// A warp scheduler that lets the youngest ready warp issue.

#include <array>
#include <cstdint>
#include <memory>

#include "policies/warp_scheduler/warp_scheduler.h"

namespace example {

class YoungestFirst final : public wharf::WarpScheduler {
 public:
  int pick(wharf::WarpMask ready, wharf::Cycle) const override {
    int youngest = kNone;
    for (; ready != 0; ready &= ready - 1) {
      const unsigned warp = wharf::lowest_warp(ready);
      if (youngest == kNone || ages_[warp] >= ages_[static_cast<unsigned>(youngest)]) youngest = static_cast<int>(warp);
    }
    return youngest;
  }
  void issued(unsigned) override {}
  void warp_launched(unsigned warp, std::uint64_t age) override { ages_[warp] = age; }
  void warp_finished(unsigned) override {}
  void stalled_long(unsigned) override {}

 private:
  std::array<std::uint64_t, wharf::kMaxWarps> ages_ = {};
};

inline std::unique_ptr<wharf::WarpScheduler> make_youngest_first(const wharf::WarpSchedulerOptions&) {
  return std::make_unique<YoungestFirst>();
}

inline constexpr wharf::WarpSchedulerEntry kYoungestFirst = {"youngest_first", "the youngest ready warp", make_youngest_first};

}  // namespace example

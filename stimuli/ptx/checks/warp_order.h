#pragma once
// Order between the warps of a CTA, from barriers, and from atomics after fences.

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/barriers/cta_barriers.h"
#include "stimuli/ptx/checks/access_shadow.h"

namespace wharf::ptx {

/// A warp's arrival at a barrier.
struct BarrierArrival {
  unsigned warp = 0;
  std::uint32_t number = 0;   // of the barrier
  std::uint32_t threads = 0;  // that it waits for; 0: all
  bool waits = true;          // false: bar.arrive
  std::uint32_t pc = 0;
  unsigned lane = 0;  // one that is there
};

/// A vector clock per warp: entry [w][v] is the last time of warp v that has happened before what warp w does now. Barriers join the clocks of
/// the warps that meet.
class WarpOrder final : public AccessOrder {
 public:
  explicit WarpOrder(unsigned warps);

  bool precedes(const Access& earlier, std::uint32_t warp) const override { return earlier.stamp <= clocks_[warp][earlier.agent]; }
  std::uint32_t time_of(unsigned warp) const { return clocks_[warp][warp]; }

  /// Enters the arrival and opens the barrier where it is complete. Returns the first arrival at the same opening; the arrival itself where
  /// it is the first.
  BarrierArrival arrive(const BarrierArrival& arrival);
  /// A warp has ended: barriers do not wait for it.
  void end_warp();

  /// The warp's accesses before the fence are visible to warps that observe one of its later strong writes.
  void fence(unsigned warp);
  void strong_write(unsigned warp) { join(released_, fenced_[warp]); }
  void strong_read(unsigned warp) { join(clocks_[warp], released_); }

 private:
  using Clock = std::vector<std::uint32_t>;
  static void join(Clock& clock, const Clock& other);
  void open_if_complete(std::uint32_t number);

  unsigned running_;
  std::vector<Clock> clocks_, fenced_;
  Clock released_;
  std::array<std::vector<BarrierArrival>, CtaBarriers::kCount> arrived_;
};

}  // namespace wharf::ptx

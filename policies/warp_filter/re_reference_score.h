#pragma once
// The score of each warp's need for lost lines (the IRS of ciao section 4.3): misses on lost lines per instruction of an average warp, over
// a window that ends now.
//
// CIAO-O11: the counters and the window start with the kernel. With irs_window: epoch, snapshots at the last two ends of high epochs give
// windows of one such epoch (high test) and of one to two (low test).

#include <array>
#include <cstdint>

#include "policies/warp_filter/warp_filter_params.h"
#include "policies/warp_scheduler/age_order.h"

namespace wharf {

class ReReferenceScore {
 public:
  explicit ReReferenceScore(ScoreWindow window) : window_(window) {}

  void hit(unsigned warp) { ++now_.hits[warp]; }
  void instruction() { ++now_.instructions; }
  void kernel_started() { now_ = last_ = before_ = {}; }
  /// A high epoch has ended, and its tests have been made.
  void end_high_epoch() {
    if (window_ == ScoreWindow::kernel) return;
    before_ = last_;
    last_ = now_;
  }

  /// `active` >= 1 is the number of warps that share the instructions.
  bool above_high(unsigned warp, unsigned active, double cutoff) const { return above(warp, active, cutoff, last_); }
  bool above_low(unsigned warp, unsigned active, double cutoff) const { return above(warp, active, cutoff, before_); }

 private:
  struct Counts {
    std::array<std::uint64_t, kMaxWarps> hits{};
    std::uint64_t instructions = 0;
  };
  bool above(unsigned warp, unsigned active, double cutoff, const Counts& since) const {
    return static_cast<double>((now_.hits[warp] - since.hits[warp]) * active) >
           cutoff * static_cast<double>(now_.instructions - since.instructions);
  }

  ScoreWindow window_;
  Counts now_, last_, before_;
};

}  // namespace wharf

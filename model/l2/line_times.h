#pragma once
// For how long lines of an L2 slice were powered, and for how long they were of use (loscache sections 8, 9 and 12). A line's data are
// live from their arrival to their last access: each access says that the time since the one before was of use, so no future is known and
// nothing has to be closed. The rest is dead. Ideal-Gating powers the data for the live time alone: its power is read off the same run.
//
// All times are line-cycles of the slice's clock, brought up to the present at changes and at the end of an interval: no line costs
// anything in a cycle in which nothing happens to it.

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/types.h"

namespace wharf {

/// What of them is kept: nothing; dead time and Ideal-Gating's; the same, and the power of lines is said to be Ideal-Gating's.
enum class LineTimesKept { off, on, ideal };

class LineTimes {
 public:
  using Slot = std::uint32_t;

  /// `gates`: data_on() and data_off() are told. Then, or for `ideal`, data_on_cycles and tag_on_cycles are counted.
  /// Slots are numbered 0 .. slots - 1; `lines` of them exist.
  LineTimes(stats::Group& group, std::uint32_t slots, std::uint32_t lines, bool gates, LineTimesKept kept);

  /// All data of the line have come in. A line that had some before goes on living.
  void filled(Slot slot, Cycle now) {
    if (last_[slot] == kNever) last_[slot] = now;
    else accessed(slot, now);
  }
  /// Of use again where it has data.
  void accessed(Slot slot, Cycle now) {
    if (last_[slot] == kNever) return;
    live_ += now - last_[slot];
    last_[slot] = now;
  }
  /// Its data are gone: replaced, or switched off.
  void ended(Slot slot) { last_[slot] = kNever; }
  /// The way has been taken for the first time: its tag is on from now on, and the line counts among those ever filled.
  void first_used(Cycle now) {
    advance(now);
    ++used_;
  }
  void data_on(Cycle now) {
    advance(now);
    ++on_;
  }
  void data_off(Cycle now) {
    advance(now);
    --on_;
  }
  /// Brings the counters up to `now`.
  void advance(Cycle now);

 private:
  std::uint32_t lines_, used_ = 0, on_ = 0;
  Cycle advanced_to_ = 0;
  std::vector<Cycle> last_;  // access or fill of each slot; kNever: no data
  stats::Counter line_cycles_, live_, used_cycles_;
  struct Powered {
    Powered(stats::Group& group, bool ideal);
    stats::Counter data_on, tag_on;
  };
  std::unique_ptr<Powered> powered_;  // null: all lines are always on
  bool ideal_;
};

}  // namespace wharf

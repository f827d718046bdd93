#pragma once
// How long lines of an L2 slice were powered, and how long their data were live (loscache sections 8, 9 and 12). A line's data are live
// from their fill to their last access: each access adds the time since the previous one, so no knowledge of the future is needed. All
// other time is dead. Ideal-Gating powers data only while they are live, so the same run yields its power.
//
// Times are line-cycles of the slice's clock. They are brought up to date at changes and at the end of an interval, so an idle line costs
// no work per cycle.

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/types.h"

namespace wharf {

/// What is kept: nothing; dead time and Ideal-Gating's times; or both, with the lines' power reported as Ideal-Gating's.
enum class LineTimesKept { off, on, ideal };

class LineTimes {
 public:
  using Slot = std::uint32_t;

  /// `gates`: the owner calls data_on() and data_off(). Then, or for `ideal`, data_on_cycles and tag_on_cycles are counted. Slots are
  /// numbered 0 to slots - 1; `lines` of them exist.
  LineTimes(stats::Group& group, std::uint32_t slots, std::uint32_t lines, bool gates, LineTimesKept kept);

  /// All data of the line have arrived. A line that had some data before stays live.
  void filled(Slot slot, Cycle now) {
    if (last_[slot] == kNever)
      last_[slot] = now;
    else
      accessed(slot, now);
  }
  /// The line is accessed. Has no effect if the line has no data.
  void accessed(Slot slot, Cycle now) {
    if (last_[slot] == kNever) return;
    live_ += now - last_[slot];
    last_[slot] = now;
  }
  /// The line's data are replaced or switched off.
  void ended(Slot slot) { last_[slot] = kNever; }
  /// The way is used for the first time: its tag is powered from now on, and its line counts among those ever filled.
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
  template <class File>
  void archive(File& file) {
    file.elements(last_);
    file(used_, on_, advanced_to_);
  }

 private:
  std::uint32_t lines_, used_ = 0, on_ = 0;
  Cycle advanced_to_ = 0;
  std::vector<Cycle> last_;  // last access or fill of each slot; kNever: no data
  stats::Counter line_cycles_, live_, used_cycles_;
  struct Powered {
    Powered(stats::Group& group, bool ideal);
    stats::Counter data_on, tag_on;
  };
  std::unique_ptr<Powered> powered_;  // null if all lines are always on
  bool ideal_;
};

}  // namespace wharf

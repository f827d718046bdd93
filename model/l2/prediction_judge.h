#pragma once
// Judges predictions of access counts (loscache section 14). Each generation of a line with a predicted access gets one judgement,
// by its last prediction. Correct: the generation ended with as many accesses as predicted, either given up (switched off or not stored)
// and not requested again before its tag was overwritten or the kernel ended, or replaced. Wrong-early: requested again after it was given
// up. Wrong-low: it had more accesses than predicted, without losing any. Wrong-late: it had fewer. Open: its data are still on at the
// kernel's end. Lines that were not stored and have no tag are remembered here until the kernel's end. No decision of the model depends on
// this class.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/cache/line_set.h"

namespace wharf {

class PredictionJudge {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = ~Slot{0};

  PredictionJudge(stats::Group& group, std::uint32_t lines);

  /// Records an access with this prediction to a line whose data are, or will be, in the slot.
  void predicted(Slot slot, unsigned count) { generations_[slot] = {State::on, static_cast<std::uint8_t>(count)}; }
  /// The slot's data were switched off.
  void gated(Slot slot) {
    if (generations_[slot].state == State::on) generations_[slot].state = State::off;
  }
  /// An access predicted to be the only one was answered without storing the line; `slot` is that of its tag, or kNoSlot.
  void bypassed(Slot slot, LineAddress line) {
    if (slot == kNoSlot)
      shadow_.insert(line);
    else
      generations_[slot] = {State::off, 1};
  }
  /// A line without data is requested again; `slot` is that of its tag, or kNoSlot.
  void requested_again(Slot slot, LineAddress line);
  /// Another line takes the slot. The old line had `count` accesses.
  void replaced(Slot slot, unsigned count);
  /// `count_of(slot)` returns the number of accesses that the slot's line has had.
  template <class CountOf>
  void kernel_ended(CountOf count_of) {
    for (Slot slot = 0; slot < generations_.size(); ++slot) {
      if (generations_[slot].state == State::off)
        replaced(slot, count_of(slot));
      else
        count_open(slot);
    }
    end_shadow();
  }
  /// No generation awaits its judgement, as between kernels.
  bool idle() const {
    return shadow_.size() == 0 &&
           std::all_of(generations_.begin(), generations_.end(), [](const Generation& g) { return g.state == State::none; });
  }

 private:
  enum class State : std::uint8_t { none, on, off };
  struct Generation {
    State state = State::none;
    std::uint8_t predicted = 0;
  };

  void count_open(Slot slot);
  void end_shadow();

  std::vector<Generation> generations_;
  LineSet shadow_;
  stats::Counter correct_, early_, low_, late_, open_;
};

}  // namespace wharf

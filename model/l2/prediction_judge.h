#pragma once
// How good predictions of access counts were (loscache section 14, AM-24): one judgement for each generation of a line that had an
// access with a prediction, the last of which counts. Correct: the generation has ended, switched off or not stored and not asked for again
// before its tag is overwritten or the kernel ends, or replaced, with as many accesses as were predicted. Wrong-early: asked for again after
// it had been given up. Wrong-low: it had more than predicted, and lost nothing by that. Wrong-late: it had fewer. Open: its data are still
// on at the kernel's end. What was not stored and has no tag is remembered here alone, to the kernel's end. No decision rests on any of this.

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

  /// An access with this prediction, to what has or will have its data in the slot.
  void predicted(Slot slot, unsigned count) { generations_[slot] = {State::on, static_cast<std::uint8_t>(count)}; }
  /// Its data were switched off.
  void gated(Slot slot) {
    if (generations_[slot].state == State::on) generations_[slot].state = State::off;
  }
  /// Answered without being stored, for a prediction of one; `slot`: of its tag, or kNoSlot.
  void bypassed(Slot slot, LineAddress line) {
    if (slot == kNoSlot) shadow_.insert(line);
    else generations_[slot] = {State::off, 1};
  }
  /// What has no data is wanted again; `slot`: of its tag, or kNoSlot.
  void asked_again(Slot slot, LineAddress line);
  /// Something else takes the slot, whose line has had `count` accesses.
  void replaced(Slot slot, unsigned count);
  /// `count_of`: accesses that the line of a slot has had.
  template <class CountOf>
  void kernel_ended(CountOf count_of) {
    for (Slot slot = 0; slot < generations_.size(); ++slot) {
      if (generations_[slot].state == State::off) replaced(slot, count_of(slot));
      else leave_open(slot);
    }
    end_shadow();
  }

 private:
  enum class State : std::uint8_t { none, on, off };
  struct Generation {
    State state = State::none;
    std::uint8_t predicted = 0;
  };

  void leave_open(Slot slot);
  void end_shadow();

  std::vector<Generation> generations_;
  LineSet shadow_;
  stats::Counter correct_, early_, low_, late_, open_;
};

}  // namespace wharf

#pragma once
// How good predictions of access counts were (loscache, "Measured by"): one judgement for each generation of a line that had an access
// with a prediction. Correct: switched off, or not stored, and not asked for again before its tag is overwritten or the kernel ends.
// Wrong-early: asked for again. Wrong-late: replaced, or at the kernel's end, with its data on. What was not stored and has no tag is
// remembered here alone, to the kernel's end. No decision rests on any of this.

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

  /// An access with a prediction, to what has or will have its data in the slot.
  void predicted(Slot slot) { states_[slot] = State::on; }
  /// Its data were switched off.
  void gated(Slot slot) {
    if (states_[slot] == State::on) states_[slot] = State::off;
  }
  /// Answered without being stored, for a prediction of one; `slot`: of its tag, or kNoSlot.
  void bypassed(Slot slot, LineAddress line) {
    if (slot == kNoSlot) shadow_.insert(line);
    else states_[slot] = State::off;
  }
  /// What has no data is wanted again; `slot`: of its tag, or kNoSlot.
  void asked_again(Slot slot, LineAddress line);
  /// Something else takes the slot.
  void replaced(Slot slot) { close(slot); }
  void kernel_ended();

 private:
  enum class State : std::uint8_t { none, on, off };

  void close(Slot slot);

  std::vector<State> states_;
  LineSet shadow_;
  stats::Counter correct_, early_, late_;
};

}  // namespace wharf

#pragma once
// Finds out that a warp is in a loop without end, such as waiting for a flag that nobody sets: it comes back to a jump with the registers that it
// had there, and nothing has happened in the launch in between.

#include "stimuli/ptx/execution/progress/launch_progress.h"
#include "stimuli/ptx/execution/progress/saved_state.h"

namespace wharf::ptx {

class LoopWatch {
 public:
  /// Counts a jump back; true where look() is due before it.
  bool is_due() { return ++jumps_ >= next_look_; }
  /// Returns true where no warp of the launch gets anywhere. `pc`: of the jump.
  bool look(LaunchProgress& launch, std::uint32_t pc, const std::vector<SavedState::Part>& state);

 private:
  void look_later();

  std::uint64_t jumps_ = 0, next_look_ = kQuiet;
  std::uint64_t epoch_ = 0;  // of the launch at the last look
  SavedState saved_;
  unsigned compared_ = 0;  // jumps since it was saved
  bool loops_ = false;     // until the next epoch

  /// Jumps back in one epoch before the state is saved: more than a warp makes until a run without a machine begins further CTAs
  /// (stimuli/functional_run.cpp).
  static constexpr std::uint64_t kQuiet = 16384;
  /// Jumps back at which a loop may be where it was.
  static constexpr unsigned kMostCompared = 128;
};

}  // namespace wharf::ptx

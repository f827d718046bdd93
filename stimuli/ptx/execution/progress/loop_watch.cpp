#include "stimuli/ptx/execution/progress/loop_watch.h"

#include <utility>

namespace wharf::ptx {

bool LoopWatch::look(LaunchProgress& launch, std::uint32_t pc, const std::vector<SavedState::Part>& state) {
  const std::uint64_t epoch = launch.epoch();
  if (std::exchange(epoch_, epoch) != epoch) {
    loops_ = false;
    look_later();
  } else if (loops_) {
    next_look_ = jumps_ + kQuiet;  // only the epoch can change that
  } else if (saved_.is_empty()) {
    saved_.save(pc, state);
    compared_ = 0;
  } else if (saved_.equals(pc, state)) {
    loops_ = true;
    launch.loop();
    return launch.is_stuck();
  } else if (++compared_ == kMostCompared) {
    look_later();
  }
  return false;
}

void LoopWatch::look_later() {
  saved_.clear();
  next_look_ = jumps_ + kQuiet;
}

}  // namespace wharf::ptx

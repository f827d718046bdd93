#include "stimuli/ptx/execution/progress/loop_watch.h"

#include <cstring>
#include <utility>

namespace wharf::ptx {

bool LoopWatch::look(LaunchProgress& launch, std::uint32_t pc, const std::vector<Part>& state) {
  const std::uint64_t epoch = launch.epoch();
  if (std::exchange(epoch_, epoch) != epoch) {
    loops_ = false;
    look_later();
  } else if (loops_) {
    next_look_ = jumps_ + kQuiet;  // only the epoch can change that
  } else if (saved_.empty()) {
    save(state);
    pc_ = pc;
    compared_ = 0;
  } else if (pc == pc_ && is_saved(state)) {
    loops_ = true;
    return launch.loops();
  } else if (++compared_ == kMostCompared) {
    look_later();
  }
  return false;
}

void LoopWatch::look_later() {
  saved_.clear();
  next_look_ = jumps_ + kQuiet;
}

void LoopWatch::save(const std::vector<Part>& state) {
  for (const Part& part : state) {
    const auto* const from = static_cast<const std::byte*>(part.bytes);
    saved_.insert(saved_.end(), from, from + part.count);
  }
}

bool LoopWatch::is_saved(const std::vector<Part>& state) const {
  std::size_t at = 0;
  for (const Part& part : state) {
    if (part.count > saved_.size() - at || std::memcmp(saved_.data() + at, part.bytes, part.count) != 0) return false;
    at += part.count;
  }
  return at == saved_.size();
}

}  // namespace wharf::ptx

#pragma once
// Finds out whether lanes, for which others of their warp wait at a meeting, go round in a loop with the same registers: then they may be waiting
// for those others, which go on alone. In a longer loop that gets further the others stay, as at a convergence barrier of a GPU.

#include "stimuli/ptx/execution/progress/saved_state.h"

namespace wharf::ptx {

class SpinWatch {
 public:
  enum class Finding : std::uint8_t { none, spins, moves };

  bool is_on() const { return is_on_; }
  void begin() {
    is_on_ = true;
    compared_ = 0;
    saved_.clear();
  }
  /// Called before jumps back while it is on, until it has found something. Lanes that have moved for many turns are taken to spin, because
  /// loops that wait may count.
  Finding look(std::uint32_t pc, const std::vector<SavedState::Part>& state) {
    if (saved_.is_empty()) {
      saved_.save(pc, state);
      return Finding::none;
    }
    const bool spins = saved_.equals(pc, state);
    if (!spins && ++compared_ < kMostCompared) return Finding::none;
    is_on_ = false;
    turns_ = spins || turns_ == kMostTurns ? 0 : turns_ + 1;
    return turns_ == 0 ? Finding::spins : Finding::moves;
  }

 private:
  static constexpr unsigned kMostCompared = 16;  // jumps, of which one would find a loop where it was
  static constexpr unsigned kMostTurns = 2048;

  bool is_on_ = false;
  unsigned compared_ = 0, turns_ = 0;
  SavedState saved_;
};

}  // namespace wharf::ptx

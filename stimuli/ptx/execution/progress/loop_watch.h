#pragma once
// Finds out that a warp is in a loop without end, such as waiting for a flag that nobody sets: it comes back to a jump with the registers that it
// had there, and nothing has happened in the launch in between.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stimuli/ptx/execution/progress/launch_progress.h"

namespace wharf::ptx {

class LoopWatch {
 public:
  /// Bytes that decide what the warp does next.
  struct Part {
    const void* bytes;
    std::size_t count;
  };

  /// Counts a jump back; true where look() is due before it.
  bool is_due() { return ++jumps_ >= next_look_; }
  /// Returns true where no warp of the launch gets anywhere. `pc`: of the jump.
  bool look(LaunchProgress& launch, std::uint32_t pc, const std::vector<Part>& state);

 private:
  void save(const std::vector<Part>& state);
  bool is_saved(const std::vector<Part>& state) const;
  void look_later();

  std::uint64_t jumps_ = 0, next_look_ = kQuiet;
  std::uint64_t epoch_ = 0;       // of the launch at the last look
  std::uint32_t pc_ = 0;          // of the jump at which the state was saved
  unsigned compared_ = 0;         // jumps since then
  bool loops_ = false;            // until the next epoch
  std::vector<std::byte> saved_;  // empty: none

  /// Jumps back in one epoch before the state is saved: more than a warp makes until a run without a machine begins further CTAs
  /// (stimuli/functional_run.cpp).
  static constexpr std::uint64_t kQuiet = 16384;
  /// Jumps back at which a loop may be where it was.
  static constexpr unsigned kMostCompared = 128;
};

}  // namespace wharf::ptx

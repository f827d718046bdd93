#pragma once
// Who has an SM's shared memory in which cycle: the program's instructions, or the cache that fills its unused part (ciao section 6.5).
//
// What either side says in a cycle is true from the next one on, so the order in which they act cannot matter. An instruction that has
// begun is not interrupted.

#include "model/base/types.h"

namespace wharf {

class SharedMemoryTurns {
 public:
  /// The program's next instruction may leave the load/store unit in cycle `now`.
  bool may_start(Cycle now) const { return claimed_ >= now || released_ < now; }
  /// It does, and takes `cycles` cycles from the next one on.
  void start(Cycle now, std::uint32_t cycles) {
    if (until_ != now) from_ = now + 1;
    until_ = now + cycles;
  }

  /// No instruction of the program has cycle `now`.
  bool free(Cycle now) const { return now < from_ || until_ < now; }
  /// The cache has waited too long: from the next cycle on no instruction starts, until it gives the turn back.
  void claim(Cycle now) {
    claimed_ = now;
    released_ = kNever;
  }
  /// From the next cycle on they may start again. Not in the cycle of the claim.
  void release(Cycle now) { released_ = now; }

 private:
  Cycle from_ = kNever, until_ = kNever;           // cycles of the last instructions without a gap between them
  Cycle claimed_ = kNever, released_ = kNever;
};

}  // namespace wharf

#pragma once
// Arbitrates an SM's shared memory between the program's instructions and the cache in its unused part (ciao section 6.5).
//
// A call in one cycle takes effect in the next, so the order in which the two sides act cannot matter. An instruction that has started is
// not interrupted.

#include "model/base/types.h"

namespace wharf {

class SharedMemoryTurns {
 public:
  /// The program's next instruction may leave the load/store unit in cycle `now`.
  bool may_start(Cycle now) const { return claimed_ >= now || released_ < now; }
  /// An instruction leaves, and occupies shared memory for `cycles` cycles from the next one on.
  void start(Cycle now, std::uint32_t cycles) {
    if (until_ != now) from_ = now + 1;
    until_ = now + cycles;
  }

  /// No instruction of the program occupies cycle `now`.
  bool free(Cycle now) const { return now < from_ || until_ < now; }
  /// The cache has waited too long: no instruction starts from the next cycle on, until release().
  void claim(Cycle now) {
    claimed_ = now;
    released_ = kNever;
  }
  /// Instructions may start again from the next cycle on. Must not be called in the cycle of the claim.
  void release(Cycle now) { released_ = now; }

 private:
  Cycle from_ = kNever, until_ = kNever;  // the last unbroken run of instruction cycles
  Cycle claimed_ = kNever, released_ = kNever;
};

}  // namespace wharf

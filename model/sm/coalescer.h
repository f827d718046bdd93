#pragma once
// Coalesces lane addresses into line transactions (CM-5, CM-25), and counts shared-memory bank conflicts.

#include <array>
#include <cstdint>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf {

/// The lines that one warp instruction touches, in the order in which lanes first name them.
struct CoalescedLines {
  /// 32 lanes of 16 B touch at most two lines each.
  static constexpr unsigned kMost = 2 * kLanes;
  struct Part {
    LineAddress line;
    SectorMask sectors = 0;   // touched
    SectorMask covered = 0;   // every byte touched
  };
  std::array<Part, kMost> parts;
  unsigned count = 0;
};

/// Computes the lines and sectors that the active lanes touch. `covered` is computed for stores only: it lets L2 skip a fetch (CM-18).
void coalesce(const WarpInstruction& instruction, CoalescedLines& lines);

/// Cycles that a shared memory of `banks` banks of 4 B needs for the instruction: the largest number of different words in one bank, at
/// least 1. A lane's access counts at its first word; lanes that name the same word share it.
unsigned shared_memory_cycles(const WarpInstruction& instruction, unsigned banks);

}  // namespace wharf

#pragma once
// Coalesces lane addresses into line transactions (CM-5, CM-25), and counts shared-memory bank conflicts.

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/base/access.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "model/cache/byte_mask.h"
#include "model/sm/local_layout.h"

namespace wharf {

/// The lines that one warp instruction touches, in the order in which its lanes first touch them.
struct CoalescedLines {
  /// 32 lanes of 16 B touch at most two lines each, or four if their words are interleaved (local memory).
  static constexpr unsigned kMost = 4 * kLanes;
  struct Part {
    LineAddress line;
    SectorMask sectors = 0;  // touched
    SectorMask covered = 0;  // every byte touched
    ByteMask written;        // of a store
  };
  std::array<Part, kMost> parts;
  unsigned count = 0;

  /// Puts the line with the highest address first.
  void sort_descending() {
    std::sort(parts.begin(), parts.begin() + count, [](const Part& a, const Part& b) { return b.line < a.line; });
  }
};

/// The kind of the accesses of an instruction that goes to the memory hierarchy.
AccessKind kind_of(Unit unit);

/// Computes the lines and sectors that the active lanes touch. `covered` is computed for stores only: it lets L2 skip a fetch (CM-18).
void coalesce(const WarpInstruction& instruction, CoalescedLines& lines);
/// Coalesces an access to local memory by warp slot `warp`, if the machine lays out local memory. Translates each word of a lane by itself
/// (CM-43). Throws SimulationError if the kernel has no such local array.
void coalesce_local(const WarpInstruction& instruction, const LocalLayout& layout, unsigned warp, CoalescedLines& lines);

/// Cycles that a shared memory of `banks` banks of 4 B needs for the instruction: the largest number of different words in one bank, at
/// least 1. A lane's access counts at its first word; lanes that access the same word share it.
unsigned shared_memory_cycles(const WarpInstruction& instruction, unsigned banks);

}  // namespace wharf

#pragma once
// Coalesces lane addresses into line transactions (CM-5, CM-25), and counts shared-memory bank conflicts.

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/base/access.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "model/sm/local_layout.h"

namespace wharf {

/// A set of bytes of a line.
struct ByteMask {
  std::uint64_t low = 0, high = 0;

  /// `first` + `bytes` <= kLineBytes.
  void add(unsigned first, unsigned bytes) {
    const unsigned end = first + bytes;
    if (first < 64) low |= below(std::min(end, 64u)) & ~below(first);
    if (end > 64) high |= below(end - 64) & ~below(std::max(first, 64u) - 64);
  }
  std::uint32_t of_sector(unsigned sector) const { return static_cast<std::uint32_t>((sector < 2 ? low : high) >> (sector % 2 * 32)); }
  SectorMask full_sectors() const {
    SectorMask mask = 0;
    for (unsigned s = 0; s < kSectorsPerLine; ++s) mask |= static_cast<SectorMask>((of_sector(s) == ~std::uint32_t{0}) << s);
    return mask;
  }

 private:
  /// The first `count` bits, at most 64.
  static std::uint64_t below(unsigned count) { return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }
};

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

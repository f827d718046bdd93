#pragma once
// Functional warming: the caches of a machine that simulates only some launches perform the accesses of the others.

#include <array>
#include <cstdint>

#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// Counters of what enters and leaves L2. They depend on the first touches of lines, which no L1 hides, so those of skipped work can be counted
/// without simulating it, but for the order of its accesses.
constexpr std::array<const char*, 8> kL2Traffic = {"l2.misses",    "l2.sector_misses", "l2.sectors.misses", "l2.fills",
                                                   "l2.evictions", "dram.reads",       "l2.writebacks",     "dram.writes"};
/// The last two of these are written data, which leave L2 once, in whatever order accesses come.
constexpr bool is_written_data(std::size_t of_traffic) { return of_traffic >= kL2Traffic.size() - 2; }
using L2Traffic = std::array<std::uint64_t, kL2Traffic.size()>;

/// Called for each skipped launch, between launches that the machine simulates, and for skipped CTAs of a launch that it simulates in part.
class WarmedCaches {
 public:
  virtual ~WarmedCaches() = default;
  virtual void begin() = 0;
  /// Follows begin() where a launch starts.
  virtual void launch_starts(const KernelLaunch& launch) = 0;
  /// An instruction of this CTA accesses global or local memory.
  virtual void access(std::uint64_t cta, const WarpInstruction& instruction) = 0;
  /// Returns what caches and memory have counted since begin(). The machine's own counters do not contain it.
  virtual L2Traffic end() = 0;
};

}  // namespace wharf

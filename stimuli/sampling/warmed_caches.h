#pragma once
// Functional warming: the caches of a machine that simulates only some launches perform the accesses of the others.

#include "model/base/stats/stats.h"
#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// Called for each skipped launch, between launches that the machine simulates, and for skipped CTAs of a launch that it simulates in part.
class WarmedCaches {
 public:
  virtual ~WarmedCaches() = default;
  virtual void begin() = 0;
  /// Follows begin() where a launch starts.
  virtual void launch_starts(const KernelLaunch& launch) = 0;
  /// An instruction accesses global or local memory.
  virtual void access(const WarpInstruction& instruction) = 0;
  virtual void end() = 0;
  /// What caches and memory counted from begin() to end(), by counter of the machine, whose own counters do not contain it.
  virtual const stats::Snapshot& counts() const = 0;
};

}  // namespace wharf

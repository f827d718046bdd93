#pragma once
// The caches of a machine that runs only some launches, as they go through the others.

#include "model/base/stats/stats.h"
#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// Hears of a launch between the launches that the machine runs.
class WarmedCaches {
 public:
  virtual ~WarmedCaches() = default;
  virtual void launch_starts(const KernelLaunch& launch) = 0;
  /// An instruction accesses global or local memory.
  virtual void access(const WarpInstruction& instruction) = 0;
  virtual void launch_ends() = 0;
  /// What caches and memory counted in these launches, by counter of the machine, whose own counters do not contain it.
  virtual const stats::Snapshot& counts() const = 0;
};

}  // namespace wharf

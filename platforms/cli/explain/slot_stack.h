#pragma once
// The cycle stack of a finished run, by root cause: if a queue is full because a later queue is full, the lost slots count for the later
// queue (docs/howto-explain.md).

#include <map>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// Shares of all issue slots, by cause. For causes of loads also by who answered them.
struct Cause {
  std::string name;  // a row of cause_texts()
  double share = 0.0;
  std::map<std::string, double> served_by;  // of the share; empty where no load is concerned
  /// The scheduler has no warp that could wait: it is no fault of caches and memory.
  bool without_warp() const;
  /// The part of the share in which warps wait for loads that are answered.
  double served() const;
};

struct SlotStack {
  double issued = 0.0;
  double slots = 0.0;  // the number of all slots
  double time_ns = 0.0;
  std::vector<Cause> causes;  // largest first; they and `issued` add up to 1

  double share(const std::string& cause) const;
};

/// True where the run has kept its cycle stack.
bool has_slot_stack(const Json& result);
/// `result` must have one.
SlotStack slot_stack_of(const Json& result);
/// The stack of one launch, a row of `kernels` of such a result. It does not record which block answered a load: all loads count as "load".
SlotStack slot_stack_of_launch(const Json& launch);

/// "waits for ..." of a cause, for sentences; the name itself for one that is unknown.
std::string text_of_cause(const std::string& name);

}  // namespace wharf::cli

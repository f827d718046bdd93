#pragma once
// The configuration keys that reduce a cause, and the reasons why changing a key is pointless on a machine.

#include <string>
#include <vector>

#include "platforms/cli/explain/evidence.h"
#include "platforms/cli/explain/slot_stack.h"
#include "platforms/cli/runs/resolved_values.h"
#include "platforms/cli/runs/run_spec.h"

namespace wharf::cli {

/// A key to turn, its value and the one to try.
struct Turn {
  std::string key, now, then;
};

struct Remedies {
  std::vector<Turn> turns;             // the most promising first; the configuration accepts each
  std::vector<std::string> pointless;  // "l2.slice_kib: no line was displaced from L2": keys that would ease it elsewhere, and why not here
};

/// A configuration whose keys can be turned.
class TurnableMachine {
 public:
  explicit TurnableMachine(const RunSpec& spec);
  const GpuParams& params() const { return params_; }
  /// Empty where the key has no effect.
  std::string value_of(const std::string& key) const;
  /// Why the configuration refuses the setting; empty: it accepts it.
  std::string refusal_of(const std::string& key, const std::string& value) const;

 private:
  RunSpec spec_;
  GpuParams params_;
  ResolvedValues values_;
};

Remedies remedies_for(const Cause& cause, const Evidence& evidence, const TurnableMachine& machine);

}  // namespace wharf::cli

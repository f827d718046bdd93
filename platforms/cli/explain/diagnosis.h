#pragma once
// What the figures of a run say about one of its causes, and which key to turn.

#include <string>
#include <vector>

#include "platforms/cli/explain/slot_stack.h"
#include "platforms/frame/gpu_params.h"

namespace wharf::cli {

/// A key to turn, its value and the one to try.
struct Turn {
  std::string key, now, then;
};

struct Diagnosis {
  std::vector<std::string> findings;  // sentences
  std::vector<Turn> turns;            // the most promising first; a configuration may refuse some. Empty where no key cures it
};

/// `result` has a cycle stack and was made with these parameters.
Diagnosis diagnose(const Cause& cause, const Json& result, const GpuParams& params);

/// "38 %", "4.2 %".
std::string percent(double share);

}  // namespace wharf::cli

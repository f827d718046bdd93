#pragma once
// Runs of thread-block clusters on an H100, and the cycles of a hop between SMs of a GPC.

#include <map>
#include <string>

#include "tests/platform/machines/run_checked.h"

namespace wharf::test {

inline constexpr Cycle kSameTpc = 74, kBase = 81, kSecondCpc = 2, kThirdCpc = 4;

inline GpuParams h100(const std::vector<std::string>& settings = {}) { return machine("cluster/h100", settings); }

inline Outcome run_h100(const std::vector<ScriptedKernel>& kernels, const RunOptions& options = checked()) {
  return run_apart(h100(), kernels, options);
}

/// Cycles by which the second kernel is longer than the first.
inline Cycle longer(const ScriptedKernel& first, const ScriptedKernel& second, const std::vector<std::string>& settings = {}) {
  const Outcome outcome = run_checked(h100(settings), {first, second});
  return outcome.kernel(1, "cycles") - outcome.kernel(0, "cycles");
}

/// Cycles by which the second kernel is longer than the first. Their lines are where a run of the second leaves them.
inline Cycle longer_when_warm(const ScriptedKernel& first, const ScriptedKernel& second, const std::vector<std::string>& settings = {}) {
  const Outcome outcome = run_checked(h100(settings), {second, first, second});
  return outcome.kernel(2, "cycles") - outcome.kernel(1, "cycles");
}

/// Issue slots by cause, of a run that counted them.
inline std::map<std::string, double> lost_slots(const Outcome& outcome) {
  std::map<std::string, double> slots;
  for (const cli::Json& row : outcome.result.at("tables").at("cycle_stack").at("rows")) slots[row[0]] += row[3].get<double>();
  return slots;
}

}  // namespace wharf::test

#pragma once
// Findings about one cause of a run, from the run's figures.

#include <string>
#include <vector>

#include "platforms/cli/explain/evidence.h"
#include "platforms/cli/explain/slot_stack.h"

namespace wharf::cli {

/// Sentences.
std::vector<std::string> findings_on(const Cause& cause, const Evidence& evidence);

/// "38 %", "4.2 %".
std::string percent(double share);

}  // namespace wharf::cli

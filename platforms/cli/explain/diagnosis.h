#pragma once
// What the figures of a run say about one of its causes.

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

#pragma once
// The instructions of a run that cost most issue slots, and where their loads found their data.

#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// The ten largest, from the table `instructions` of `result`; without rows where it has none.
Table costly_instructions(const Json& result);
/// The same, an object for each with the columns of that table.
Json costly_instructions_json(const Json& result);

}  // namespace wharf::cli

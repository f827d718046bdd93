#pragma once
// How the operations of a function take issue slots: units, counts and scoreboard names (CU-53 to CU-55).

#include <vector>

#include "stimuli/ptx/program/analysis/liveness.h"
#include "stimuli/ptx/program/draft.h"

namespace wharf::ptx {

std::vector<Issue> issue_table(const DraftFunction& function, const Liveness& live, const std::vector<CallSite>& calls, bool is_kernel,
                               Timing timing);

}  // namespace wharf::ptx

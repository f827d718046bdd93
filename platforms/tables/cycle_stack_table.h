#pragma once
// The table cycle_stack: the issue slots of all SMs by cause (docs/howto-explain.md).

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// Declares the table, and a metric per cause. `sms` must keep their cycle stacks and outlive the registry. `stages`: those of a load in this machine (stages_of).
void declare_cycle_stack(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, bool knows_copies, unsigned stages);

}  // namespace wharf

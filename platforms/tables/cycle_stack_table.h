#pragma once
// The table cycle_stack: where the issue slots of all SMs went (docs/howto-explain.md).

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// `sms` must keep their cycle stacks and outlive the registry. Declares the table, and a metric for each cause.
void declare_cycle_stack(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, bool knows_copies);

}  // namespace wharf

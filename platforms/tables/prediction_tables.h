#pragma once
// The tables of L2 access-count prediction in result.json (loscache, "Measured by").

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// Declares three tables. prediction_pcs: replies that reported a pc's prediction as too small. prediction_thresholds: valid entries by
/// threshold at the ends of kernels. prediction_phases: cycles and ends of phases per SM. `sms` must live until the tables are read.
void declare_prediction_tables(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms);

}  // namespace wharf

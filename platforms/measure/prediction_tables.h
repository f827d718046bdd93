#pragma once
// Tables of result.json about the prediction of L2 access counts (loscache, "Measured by").

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// prediction_pcs: replies that said a pc's prediction was too small; prediction_thresholds: valid entries by threshold, at kernels' ends;
/// prediction_phases: of each SM. `sms` must live until the tables are asked for.
void declare_prediction_tables(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms);

}  // namespace wharf

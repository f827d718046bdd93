#pragma once
// The table latency_stack of result.json: the time of a run's loads by stage.

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// Declares the table. It has one row per kind of server that answered loads, and one for all loads: the mean core cycles of a load by
/// stage. The parts of a row sum to the mean round trip, as they do for each load (a law of each SM).
void declare_latency_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, bool has_partitions);

}  // namespace wharf

#pragma once
// Where the time of a run's loads went: the table latency_stack of result.json.

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// A row for each kind of server that answered a load, and one for all: mean core cycles of a load by stage. The parts of a row add up to
/// the mean round trip, as they do for each single load (a law of each SM).
void declare_latency_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms);

}  // namespace wharf

#pragma once
// The figures of a measure, workload by workload, from the records of its runs.

#include <string>
#include <vector>

#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

/// A metric whose ratio is one of times.
bool is_speed(const std::string& metric);

/// One per workload of the measure, in its order.
std::vector<WorkloadFigure> figures_of(const Measure& measure, const RecordOf& record_of);

}  // namespace wharf::cli

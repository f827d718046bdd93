#pragma once
// Work by stream, for runs in which kernels of different streams run together.

#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/frame/run_options.h"

namespace wharf {

/// Declares the table `streams`, and the law that the kernels' counts add up to the SMs' totals. `kernels` must outlive the use of the
/// registry.
void declare_streams(stats::Registry& registry, stats::Group& group, const std::vector<Interval>& kernels);

/// Cycles in which at least one of the kernels ran.
Cycle cycles_of_any(const std::vector<Interval>& kernels);

}  // namespace wharf

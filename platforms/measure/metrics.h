#pragma once
// The metrics of common section 12 that are computed from counters.

#include <string_view>

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

namespace measure {

/// Total of a counter over all instances, in the interval of interest.
inline double total(const stats::View& view, std::string_view counter) { return static_cast<double>(view.sum(counter)); }
/// Returns 0 if `below` is 0.
inline double ratio(double above, double below) { return below == 0.0 ? 0.0 : above / below; }

}  // namespace measure

/// Declares the metrics that every GPU has; platforms declare those of their designs. Ratios divide sums over the interval.
void declare_metrics(stats::Registry& registry, const GpuParams& params);

}  // namespace wharf

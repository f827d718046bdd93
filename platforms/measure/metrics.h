#pragma once
// The metrics of common section 12 that are computed from counters.

#include <string_view>

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

namespace measure {

/// Of all instances of a counter, in the interval asked about.
inline double total(const stats::View& view, std::string_view counter) { return static_cast<double>(view.sum(counter)); }
/// 0 where nothing was counted.
inline double ratio(double above, double below) { return below == 0.0 ? 0.0 : above / below; }

}  // namespace measure

/// Those that every GPU has; a design's own are declared by its platform. Ratios are of sums over the interval.
void declare_metrics(stats::Registry& registry, const GpuParams& params);

}  // namespace wharf

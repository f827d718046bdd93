#pragma once
// The metrics of common.md section 12 that are computed from counters.

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

/// Those of the private-L1 GPU; ratios are of sums over the interval, 0 where nothing was counted.
void declare_metrics(stats::Registry& registry, const GpuParams& params);

}  // namespace wharf

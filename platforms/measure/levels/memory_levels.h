#pragma once
// The levels of the memory hierarchy, from the SMs to DRAM, with their traffic and peak rates. Source of the memory chart and of the
// roofline.

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

/// Declares the table `memory_levels`. A figure that does not apply to a level is NaN.
void declare_memory_levels(stats::Registry& registry, const GpuParams& params);

/// Peak rates of the levels in bytes per nanosecond, over all parts of a level. For the SMs: warp instructions issued per nanosecond.
struct PeakRates {
  double warp_instructions = 0.0, l1 = 0.0, l2 = 0.0, dram = 0.0;
};
PeakRates peak_rates(const GpuParams& params);

}  // namespace wharf

#pragma once
// The levels of the memory hierarchy, from the SMs to DRAM: what passed each of them, and what it can pass at most. The source of the memory
// chart and of the roofline.

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

/// Declares the table `memory_levels`. A figure that a level has not is NaN.
void declare_memory_levels(stats::Registry& registry, const GpuParams& params);

/// Bytes a nanosecond that each level gives at most, all its parts together; of the SMs the instructions that they issue.
struct PeakRates {
  double warp_instructions = 0.0, l1 = 0.0, l2 = 0.0, dram = 0.0;
};
PeakRates peak_rates(const GpuParams& params);

}  // namespace wharf

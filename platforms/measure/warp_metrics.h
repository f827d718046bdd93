#pragma once
// Metrics of warp filters and of the interference between warps (ciao section 8, common section 12).

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

/// Counters of an SM: warp-cycles of active, isolated and stalled warps, and hits in victim tags.
inline constexpr const char *kActiveCycles = "sm.filter.active_cycles", *kIsolatedCycles = "sm.filter.isolated_cycles",
                            *kStalledCycles = "sm.filter.stalled_cycles", *kLostLines = "sm.interference.hits",
                            *kLostShared = "sm.interference.hits_shared";

void declare_warp_metrics(stats::Registry& registry, const GpuParams& params);

}  // namespace wharf

#pragma once
// Functional warming of L2 (SMARTS, Wunderlich et al., ISCA 2003): leaves L2 as a launch would that the machine does not simulate.

#include "platforms/frame/gpu_params.h"

namespace wharf {

/// True if the contents of L2 follow from the addresses and the order of accesses, and the half that an SM is near. A line policy and the extended
/// LLC also look at the time of an access.
bool l2_follows_accesses(const GpuParams& params);

}  // namespace wharf

#pragma once
// Findings of the checks of CUDA programs (CU-59).

#include <ostream>

#include "platforms/cli/results/result.h"
#include "stimuli/cuda/device/ptx_device.h"

namespace wharf::cli {

/// Counts of each check that ran, and its first findings with their places; empty where none ran.
Json checks_json(const cuda::PtxDevice& device);

/// [x, y, z]
Json dimensions(const Dim3& d);

/// Prints the findings in checks_json(), and unless `quiet` also which checks have found nothing. Returns true where one has found something.
bool report_checks(const Json& checks, bool quiet, std::ostream& out);

}  // namespace wharf::cli

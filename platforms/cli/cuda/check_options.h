#pragma once
// The options that look for mistakes in CUDA programs, and what they have found (CU-46, 58, 59).

#include <ostream>

#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/command_line.h"
#include "stimuli/cuda/device/ptx_device.h"

namespace wharf::cli {

/// --check alone, which also serves recordings.
void declare_check(CommandLine& arguments);
/// Throws InputError for a name that is no check.
ptx::CheckSet checks_of(const CommandLine& arguments);

/// --check, --poison and --on-fault.
void declare_device_options(CommandLine& arguments);
/// Throws InputError.
cuda::DeviceOptions device_options_of(const CommandLine& arguments);

/// Counts of each check that ran, and its first findings with their places; empty where none ran.
Json checks_json(const cuda::PtxDevice& device);

/// Prints the findings in checks_json(), and unless `quiet` also which checks have found nothing. Returns true where one has found something.
bool report_checks(const Json& checks, bool quiet, std::ostream& out);

}  // namespace wharf::cli

#pragma once
// Reads launch files: kernels of PTX alone, with their arrays, arguments and results (CU-64).

#include <string>

#include "stimuli/ptx/launch_file/launch_stimulus.h"

namespace wharf::cli {

/// `stimulus`: ptx:LAUNCHES[:MODULE]; MODULE replaces the file's `module`. Throws InputError with every mistake: file, line, column and
/// remedy.
ptx::LaunchFile read_launch_file(const std::string& stimulus);

}  // namespace wharf::cli

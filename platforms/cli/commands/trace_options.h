#pragma once
// The options that say how recorded traces and CUDA programs are read, and what is looked for in CUDA programs (CU-21, 46, 59).

#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

void declare_strict_opcodes(CommandLine& arguments);
/// Options of commands that may run a part of the trace: the options above, --skip-bad-kernels, and --replay.
void declare_trace_options(CommandLine& arguments);

/// Takes those that the command has declared.
void read_trace_options(const CommandLine& arguments, RunSpec& spec);

/// --check alone, which also serves recordings.
void declare_check(CommandLine& arguments);
/// Throws InputError for a name that is no check.
ptx::CheckSet checks_of(const CommandLine& arguments);

/// --check, --poison and --on-fault.
void declare_device_options(CommandLine& arguments);
/// Throws InputError.
cuda::DeviceOptions device_options_of(const CommandLine& arguments);

}  // namespace wharf::cli

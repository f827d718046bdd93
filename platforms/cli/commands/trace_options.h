#pragma once
// The options that say how recorded traces and CUDA programs are read.

#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

void declare_strict_opcodes(CommandLine& arguments);
/// Of commands whose result may be that of a part of the trace: that option, --skip-bad-kernels, and --replay.
void declare_trace_options(CommandLine& arguments);

/// Takes those that the command has declared.
void take_trace_options(const CommandLine& arguments, RunSpec& spec);

}  // namespace wharf::cli

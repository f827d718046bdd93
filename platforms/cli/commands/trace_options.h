#pragma once
// The options that say how recorded traces are read.

#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

void declare_trace_options(CommandLine& arguments);
void take_trace_options(const CommandLine& arguments, RunSpec& spec);

}  // namespace wharf::cli

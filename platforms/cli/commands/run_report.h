#pragma once
// The output of a command about a run that it has performed.

#include "platforms/cli/runs/single_run.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {

/// Prints the summary unless `quiet`, and returns the exit code. Throws SimulationError where the run has failed.
int report_run(const RunSpec& spec, const RunOutcome& outcome, const RunFiles& files, bool quiet, const TableOutput& output,
               const Context& context);

}  // namespace wharf::cli

#pragma once
// Runs a CUDA program on a simulated GPU, for `wharf cuda` and for commands that record programs first.

#include <memory>
#include <string>
#include <vector>

#include "platforms/cli/context.h"
#include "platforms/cli/runs/single_run.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "stimuli/cuda/process/program_stimulus.h"

namespace wharf::cli {

struct ProgramRun {
  std::vector<std::string> command;  // the program's path and its arguments
  std::string name;                  // the command as the user wrote it: for messages and in the recording
  std::string recording;             // the file to write; empty: none
  std::string channel = {};          // of a program that runs already, as --channel gives it; empty: it is started
  std::string folder = {};           // where it runs; empty: where the command does
};

/// The program as a stimulus, which sees the GPU `gpu`. Throws InputError if it cannot be started.
std::unique_ptr<cuda::ProgramStimulus> start(const ProgramRun& program, const PreparedRun& gpu);

/// Runs the program without timing. Returns the exit code of the command: kInterrupted after Ctrl-C, kSimulationFailed if a check found
/// mistakes. Throws SimulationError where the program or a kernel fails.
int run_functionally(const ProgramRun& program, const PreparedRun& gpu, ProgressStyle progress, const Context& context);

/// Says where the program, which sizes its grids by the first configuration, would see another number of SMs on the others (CU-23).
void report_grid_mismatch(const std::vector<PreparedRun>& runs, const Context& context);

}  // namespace wharf::cli

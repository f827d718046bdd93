#pragma once
// The part of a result about a CUDA program, in addition to its kernels' times.

#include <string>

#include "platforms/cli/results/result.h"
#include "stimuli/stimulus.h"

namespace wharf::cli {

/// Kernels with geometry and registers, calls of the API, and the program's exit code (CU-63); empty where the stimulus is no CUDA program.
Json program_json(const Stimulus& stimulus);

/// Gives the table of costly instructions in a result the lines of the source of a CUDA program or of PTX (CU-57). Other results stay as they are.
void name_source_lines(Json& result, const Stimulus& stimulus);

/// How a program that has run as a child has ended, where that was not with exit code 0, or which results of a launch file are wrong; otherwise
/// empty.
std::string failure_of_program(const Stimulus& stimulus);

/// True for such a program that was stopped before its end.
bool program_was_stopped(const Stimulus& stimulus);

/// Why a stimulus had no kernel to measure, and the remedy.
std::string why_nothing_was_measured(const Stimulus& stimulus);

}  // namespace wharf::cli

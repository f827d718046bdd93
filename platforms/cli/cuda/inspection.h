#pragma once
// `wharf cuda inspect`: the kernels of a program, a source, PTX or a recording.

#include <string>
#include <vector>

#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {

/// Prints a table of the kernels with registers, shared memory and what keeps one from running. Returns the exit code. Throws InputError for
/// files that hold no device code.
int inspect(const std::vector<std::string>& files, const TableOutput& output);

}  // namespace wharf::cli

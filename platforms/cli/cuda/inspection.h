#pragma once
// `wharf cuda inspect`: the kernels of a program, a source, PTX or a recording.

#include <string>
#include <vector>

#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {

/// Prints a table of the kernels with registers, shared memory and what keeps one from running. `compile_options`: of `wharf nvcc`, for
/// sources. Returns the exit code. Throws InputError for files that hold no device code.
int inspect(const std::vector<std::string>& files, const std::vector<std::string>& compile_options, const TableOutput& output);

}  // namespace wharf::cli

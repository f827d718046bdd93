#pragma once
// Selects kernels of a trace by number or name.

#include <string>

#include "stimuli/traces/trace_list.h"

namespace wharf::traces {

/// The kernels of `list` that `kernels` names, each once and in the list's order, with `warm` behind those that stand before them all. `stimulus` is
/// what the user wrote, for messages:
///
///   3          the third kernel of the list
///   1,3-7,9-   numbers and ranges; without an end up to the last
///   gemm*      a name or a glob (* ? [a-z]) for whole names
///   /ge[mv]+/  an extended regular expression (as of grep -E), found anywhere in a name
///
/// A kernel has three names: as the file has it, demangled, and the function alone (_Z6kernelPf, kernel(float*), kernel). Throws InputError where it
/// is none of these or selects no kernel, and TraceError where a name is asked for and a file has no readable header.
TraceList select_kernels(TraceList list, const std::string& stimulus, const std::string& kernels, bool warm);

/// "kernel" of "void a::kernel<float, 3>(float*)"; a name without arguments stays as it is.
std::string function_of(const std::string& demangled);

}  // namespace wharf::traces

#pragma once
// Selects kernels of a trace by number or name.

#include <string>

#include "stimuli/traces/trace_list.h"

namespace wharf::traces {

/// The kernels of `list` that `kernels` chooses (stimuli/kernel_choice.h), each once and in the list's order, with `warm` behind those that stand
/// before them all. `stimulus` is what the user wrote, for messages. Throws InputError where it chooses no kernel, and TraceError where a name is
/// asked for and a file has no readable header.
TraceList select_kernels(TraceList list, const std::string& stimulus, const std::string& kernels, bool warm);

}  // namespace wharf::traces

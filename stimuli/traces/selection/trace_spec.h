#pragma once
// A recorded trace by its command-line name (stimuli/recorded_names.h), and the traces of a folder.

#include <filesystem>
#include <string>
#include <vector>

#include "stimuli/recorded_names.h"
#include "stimuli/traces/trace_list.h"

namespace wharf::traces {

inline constexpr const char* kPrefix = "trace:";

bool is_trace(const std::string& stimulus);

/// The folder, or the kernel file in it, that the path of a trace names.
struct TracePlace {
  std::filesystem::path folder;
  std::filesystem::path file;  // empty for the folder's list
};
TracePlace place_of(const std::string& path);

/// The folder that holds the trace, by its own name: the workload of `per_workload`.
std::string workload_of_trace(const std::string& stimulus);

/// The kernels that run of the trace. Throws InputError where there are none, or a kernel file is missing.
TraceList kernels_of(const std::string& stimulus);

/// The traces of a folder as stimuli, sorted by path: the folder itself where it holds a kernelslist.g, else those of its subfolders. A subfolder
/// without one is searched in turn, as tracers write BENCHMARK/ARGUMENTS/traces. Throws InputError where there is none.
std::vector<std::string> traces_in(const std::string& folder);

}  // namespace wharf::traces

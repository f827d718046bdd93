#pragma once
// A recorded trace by its command-line name, trace:PATH[:KERNELS[:warm]][:limit_warp_instructions=N], and the traces of a folder.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "stimuli/traces/trace_list.h"

namespace wharf::traces {

inline constexpr const char* kPrefix = "trace:";

struct TraceSpec {
  std::string path;                    // a kernelslist.g, a folder with one, or a kernel file
  std::string selection;               // what stands behind the path: "", ":3-7", ":3-7:warm", ":3-7:limit_warp_instructions=1000"
  std::optional<std::string> kernels;  // what select_kernels() takes; nullopt: all
  bool warm = false;                   // the kernels before the first selected one run too, and are not measured
  std::string limit;                   // the warp instructions at which the run ends, as written; empty: none
};

bool is_trace(const std::string& stimulus);

/// Splits the name of a trace. PATH may hold colons: it is the longest part before a colon, or the whole, that names a file or a folder. Where
/// none does, it ends at the first colon.
TraceSpec split_trace(const std::string& stimulus);

/// The same trace as named from the working directory, where `stimulus` is written in a file of `folder`. Other stimuli stay as they are.
std::string as_named_in(const std::filesystem::path& folder, const std::string& stimulus);

/// The folder that holds the trace, by its own name: the workload of `per_workload`.
std::string workload_of_trace(const std::string& stimulus);

/// A short name of each stimulus for tables, different from all others: of a trace its folder, or the kernel file in it, and the selection.
/// Where two are equal, more folders stand before them. Names of other stimuli stay as they are.
std::vector<std::string> short_names(const std::vector<std::string>& stimuli);

/// The warp instructions after which a run of the trace ends, which is complete then; kNever: at the trace's end. Throws InputError for a
/// limit that is no number.
std::uint64_t limit_of_trace(const std::string& stimulus);
/// The same trace with a limit. Throws InputError where it has one.
std::string trace_with_limit(const std::string& stimulus, std::uint64_t warp_instructions);

/// The kernels that run of the trace. Throws InputError where there are none, or a kernel file is missing.
TraceList kernels_of(const std::string& stimulus);

/// The traces of a folder as stimuli, sorted by path: the folder itself where it holds a kernelslist.g, else those of its subfolders. A subfolder
/// without one is searched in turn, as tracers write BENCHMARK/ARGUMENTS/traces. Throws InputError where there is none.
std::vector<std::string> traces_in(const std::string& folder);

}  // namespace wharf::traces

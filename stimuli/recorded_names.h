#pragma once
// Names of stimuli that are files: trace:PATH[:KERNELS[:warm]][:limit_warp_instructions=N], cuda:FILE with the same behind it, and
// ptx:LAUNCHES[:MODULE][:limit_warp_instructions=N].

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wharf {

struct RecordedName {
  std::string path;                    // a kernelslist.g, a folder with one, a kernel file, a recording, or a launch file
  std::string selection;               // the text after the path: "", ":3-7", ":3-7:warm", ":3-7:limit_warp_instructions=1000"
  std::optional<std::string> kernels;  // what KernelChoice takes, or the MODULE of a launch file; nullopt: all
  bool warm = false;                   // the kernels before the first selected one run too, and are not measured
  std::string limit;                   // the warp instructions at which the run ends, as written; empty: none
};

/// True for trace:, cuda: and ptx:.
bool is_recorded_name(const std::string& stimulus);

/// Splits such a name. PATH may hold colons: it is the longest part before a colon, or the whole, that names a file or a folder. Where none
/// does, it ends at the first colon.
RecordedName split_recorded(const std::string& stimulus);

/// Removes `:warm` from the end of what selects kernels; returns false where it does not stand there.
bool strip_warm_suffix(std::string& kernels);

/// The same stimulus as named from the working directory, where `stimulus` is written in a file of `folder`. Stimuli that are no files stay
/// as they are.
std::string as_named_in(const std::filesystem::path& folder, const std::string& stimulus);

/// A short name of each stimulus for tables, different from all others: of a trace its folder, or the kernel file in it, of others the
/// file, and the selection. Where two are equal, more folders stand before them. Names of other stimuli stay as they are.
std::vector<std::string> short_names(const std::vector<std::string>& stimuli);

/// The warp instructions after which a run of the stimulus ends, which is complete then; kNever: at its end. Throws InputError for a limit
/// that is no number.
std::uint64_t limit_of_recorded(const std::string& stimulus);
/// The same stimulus with a limit. Throws InputError where it has one.
std::string recorded_with_limit(const std::string& stimulus, std::uint64_t warp_instructions);

}  // namespace wharf

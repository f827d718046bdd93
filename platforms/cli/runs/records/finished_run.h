#pragma once
// Reads the result of a run by another process, or the reason why there is none.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// The result.json of `folder`, if it has these inputs, is complete, and was written by the program of that fingerprint. `run` of a sampled one
/// has the estimates.
std::optional<Json> read_finished_run(const std::filesystem::path& folder, const Json& inputs, const std::string& program);

/// The last nonempty lines of a child's log, at most `most`.
std::vector<std::string> last_lines_of(const std::filesystem::path& log, std::size_t most);

/// Why a child failed: its exit, and the last line of its log.
std::string failure_of(int exit_code, const std::filesystem::path& log);

}  // namespace wharf::cli

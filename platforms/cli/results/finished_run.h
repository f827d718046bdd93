#pragma once
// What another process left behind: the result of a finished run, or why there is none.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// Names this program's binary, so that results of an older build are not taken for its own.
std::string program_fingerprint();

/// result.json of `folder` where it has these inputs, is complete, and was written by the program of that fingerprint.
std::optional<Json> read_finished_run(const std::filesystem::path& folder, const Json& inputs, const std::string& program);

/// The last lines of a child's log that hold anything, at most `most`.
std::vector<std::string> last_lines_of(const std::filesystem::path& log, std::size_t most);

/// Why a child failed: how it ended, and the last line of its log.
std::string failure_of(int exit_code, const std::filesystem::path& log);

}  // namespace wharf::cli

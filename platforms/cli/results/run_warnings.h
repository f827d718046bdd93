#pragma once
// The warnings of runs: departures of their input that they survived, as `warnings` of each result.json has them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// "warning: TEXT (3 times)".
std::string warning_line(const std::string& text, std::uint64_t count);

/// The `warnings` of a result; an empty list where there are none.
Json warnings_of(const Json& result);

/// A run's name and its warnings.
using WarnedRun = std::pair<std::string, Json>;

/// The lines of several runs. A warning that several runs share is one line, which names the first of them.
std::vector<std::string> warning_lines(const std::vector<WarnedRun>& runs);

/// A row per warning of a run.
Table warning_table(const std::vector<WarnedRun>& runs);

}  // namespace wharf::cli

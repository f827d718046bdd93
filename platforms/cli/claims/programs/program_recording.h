#pragma once
// Records the programs that represent applications of claims.

#include <filesystem>
#include <optional>
#include <vector>

#include "platforms/cli/claims/programs/claim_programs.h"
#include "platforms/cli/context.h"
#include "platforms/cli/terminal/progress_bar.h"

namespace wharf::cli {

struct RecordedPrograms {
  ProgramStimuli stimuli;
  std::map<std::string, std::string> failures;  // of those that cannot be recorded, by application
};

/// Runs each program once without timing and records it as folder/APPLICATION.wcr; a user's recording gets a link of that name, so that a
/// configuration's values per workload apply to it. The programs see the GPU of the claims' first machine. Each call records again: the
/// recordings of a deterministic program are equal, so its runs are not repeated.
///
/// Returns nothing after Ctrl-C.
std::optional<RecordedPrograms> record_programs(const std::vector<ClaimProgram>& programs, const std::vector<Claim>& claims,
                                                const std::filesystem::path& folder, ProgressStyle progress, const Context& context);

}  // namespace wharf::cli

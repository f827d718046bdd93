#pragma once
// Counts the claims that are computed and that agree, by source and in total.

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_results.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// A source and what measured its figures, each once.
struct SourceOrigins {
  std::string source;
  std::vector<Origin> origins;
};

/// In order of their first claims.
std::vector<SourceOrigins> origins_of(const std::vector<JudgedClaim>& claims);
/// The commit of the program, or the program where it has none.
std::string commit_of(const Origin& origin);
/// A warning where the figures come from more than one commit, or from a program with uncommitted changes; otherwise empty.
std::string commits_note(const std::vector<SourceOrigins>& sources);

struct ClaimCounts {
  std::size_t claims = 0, computed = 0, agree_in_sign = 0;
  std::size_t sized = 0, agree_in_size = 0;  // computed claims with a published size

  ClaimCounts& operator+=(const ClaimCounts& other);
};

struct SourceCounts {
  std::string source, commits;
  ClaimCounts headline, mechanism;
};

/// The counts of each source, in order of their first claims.
std::vector<SourceCounts> counts_of(const std::vector<JudgedClaim>& claims);

/// The counts of each source, and of all.
Table summary_table(const std::vector<JudgedClaim>& claims);
/// A table of counts, by source and in total.
std::string summary_markdown(const std::vector<JudgedClaim>& claims);

/// The counts as data. `characteristics` are the counts of the workloads, where known.
Json summary_json(const std::vector<JudgedClaim>& claims, const std::optional<WithinRange>& characteristics);

}  // namespace wharf::cli

#pragma once
// Counts the claims that are computed and that agree, by source and in total. Counts rows of docs/results.md, so that
// sections that stay count like new ones.

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_sections.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct ClaimCounts {
  std::size_t claims = 0, computed = 0, agree_in_sign = 0;
  std::size_t sized = 0, agree_in_size = 0;  // computed claims with a published size

  ClaimCounts& operator+=(const ClaimCounts& other);
};

struct SourceCounts {
  std::string source;
  ClaimCounts headline, mechanism;
};

/// The counts of each section.
std::vector<SourceCounts> counts_of(const std::vector<ClaimSection>& sections);

/// The counts of each section, and of all.
Table summary_table(const std::vector<ClaimSection>& sections);
/// A table of counts, by source and in total.
std::string summary_markdown(const std::vector<ClaimSection>& sections);

/// The counts as data. `characteristics` are those of docs/workloads.md, where it exists.
Json summary_json(const std::vector<ClaimSection>& sections, const std::optional<WithinRange>& characteristics);

}  // namespace wharf::cli

#pragma once
// How many claims are computed and agree, by source and in all, beside the goals. Counted from the rows of docs/results.md, so that sections
// that stay count like those that are new.

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_sections.h"
#include "platforms/cli/results/result.h"

namespace wharf::cli {

struct ClaimCounts {
  std::size_t claims = 0, computed = 0, agree_in_sign = 0;
  std::size_t sized = 0, agree_in_size = 0;  // of the computed ones those with a published size

  ClaimCounts& operator+=(const ClaimCounts& other);
};

struct SourceCounts {
  std::string source;
  ClaimCounts headline, mechanism;
};

/// Of each section.
std::vector<SourceCounts> counts_of(const std::vector<ClaimSection>& sections);

/// A table: counts by source and in all.
std::string summary_markdown(const std::vector<ClaimSection>& sections);
/// A table of the goals and how far they are reached. `characteristics`: of docs/workloads.md, where there is one.
std::string goals_markdown(const std::vector<ClaimSection>& sections, const std::optional<WithinRange>& characteristics);

/// The same as data.
Json summary_json(const std::vector<ClaimSection>& sections, const std::optional<WithinRange>& characteristics);

}  // namespace wharf::cli

#pragma once
// Results of claims as a document and as data.

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

struct JudgedClaim {
  Claim claim;
  ClaimResult result;
};

/// Where the figures come from, for the head of both forms.
struct Provenance {
  std::string command;  // "wharf reproduce --quick"
  std::string program;  // version and commit
  bool whole_sources = true;  // every claim of the sources was measured, so that no figure of an earlier time stays
  bool own_claims = false;    // of a user, which the project's goals are not about
  std::string mark = {};      // stands in bold at the head where these are not the figures of whole groups: quick, partial
};

/// Text in a cell of a Markdown table: nothing in it is taken for markup, and it stays on one line.
std::string escape_markdown(const std::string& text);

/// "+21 %", "80 % less", "2.3 x", "at least 90 %", "more".
std::string published_text(const Claim& claim);

/// docs/results.md, a section a source. `earlier`: such a document, whose sections of other sources stay as they are, and whose other claims
/// of these sources do where only some were measured.
/// `within`: of the workloads' characteristics, where they are known.
std::string claims_markdown(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::string& earlier = "",
                            const std::optional<WithinRange>& within = std::nullopt);

/// For each claim: id, published, measured, sign_agrees, difference, reason, and what they rest on; and the summary.
Json claims_json(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::optional<WithinRange>& within = std::nullopt);

/// One line: how many claims were computed, and how many of them agree in sign, and in size.
std::string claims_summary(const std::vector<JudgedClaim>& claims);

}  // namespace wharf::cli

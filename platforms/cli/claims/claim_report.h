#pragma once
// The results of claims as a document and as data.

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

/// What the figures cover.
struct Coverage {
  bool own_claims = false;  // a user's claims
  std::string mark = {};    // shown in bold at the head where the figures do not cover whole groups: quick, partial
};

/// Escapes text for a cell of a Markdown table: it contains no markup and stays on one line.
std::string escape_markdown(const std::string& text);

/// "agrees", "DISAGREES", or "-" for none.
const char* agreement_text(std::optional<bool> agrees);
/// "agrees", "DISAGREES" or "UNDECIDED".
const char* verdict_text(SignVerdict sign);

/// For example "+21 %", "80 % less", "2.3 x", "at least 90 %", "more".
std::string published_text(const Claim& claim);
/// A measured figure for the reader, a change with its own sign: "+21.3 %"; "-" for none.
std::string measured_text(const Claim& claim, std::optional<double> measured);

/// For example "wharf reproduce --claims ata with Wharf 0.1.0, commit abc", escaped.
std::string origin_text(const Origin& origin);

/// A document with one section per source, in order of their first claims. `within` counts the workloads' characteristics, where known.
std::string claims_markdown(const std::vector<JudgedClaim>& claims, const Coverage& coverage = {},
                            const std::optional<WithinRange>& within = std::nullopt);

/// docs/results.md: the claim of each design that `wharf compare` shows, and the counts of all claims.
std::string results_page(const std::vector<JudgedClaim>& claims, const std::vector<JudgedCharacteristics>& workloads);

/// Id, published and measured values, sign_agrees, difference, reason and basis of each claim, and the summary.
Json claims_json(const std::vector<JudgedClaim>& claims, const Origin& origin, const std::string& mark = "",
                 const std::optional<WithinRange>& within = std::nullopt);

/// One line: how many claims were computed, and how many of them agree in sign and in size.
std::string claims_summary(const std::vector<JudgedClaim>& claims);

}  // namespace wharf::cli

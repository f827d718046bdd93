#pragma once
// The results of claims as a document and as data.

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

/// The origin of the figures, for the head of both forms.
struct Provenance {
  std::string command;  // "wharf reproduce --quick"
  std::string program;  // version and commit
  bool whole_sources = true;  // every claim of the sources was measured, so that no earlier figure stays
  bool own_claims = false;    // a user's claims
  std::string mark = {};      // shown in bold at the head where the figures do not cover whole groups: quick, partial
};

/// Escapes text for a cell of a Markdown table: it contains no markup and stays on one line.
std::string escape_markdown(const std::string& text);

/// For example "+21 %", "80 % less", "2.3 x", "at least 90 %", "more".
std::string published_text(const Claim& claim);
/// A measured figure for the reader, a change with its own sign: "+21.3 %"; "-" for none.
std::string measured_text(const Claim& claim, std::optional<double> measured);

/// Writes docs/results.md with one section per source. `earlier` is an earlier version of the document: its sections of other sources stay,
/// as do the other claims of these sources where only some were measured. `within` counts the workloads' characteristics, where known.
std::string claims_markdown(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::string& earlier = "",
                            const std::optional<WithinRange>& within = std::nullopt);

/// Id, published and measured values, sign_agrees, difference, reason and basis of each claim, and the summary.
Json claims_json(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::optional<WithinRange>& within = std::nullopt);

/// One line: how many claims were computed, and how many of them agree in sign and in size.
std::string claims_summary(const std::vector<JudgedClaim>& claims);

}  // namespace wharf::cli

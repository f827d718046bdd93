#pragma once
// Compares claims over the user's programs with the same claims over our stimuli.

#include <string>
#include <vector>

#include "platforms/cli/claims/claim_report.h"
#include "platforms/cli/claims/programs/claim_programs.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct ComparedClaim {
  JudgedClaim over_stimuli, over_programs;   // of the same applications
  std::vector<std::string> without_program;  // applications of the claim that are in neither
};

/// Published value, figures, verdicts on sign and size, and the applications without a program: a row per claim.
Table claims_over_programs(const std::vector<ComparedClaim>& claims);

/// A Markdown page of claims_over_programs(), with the programs and the figures of each application.
/// `mark` stands in bold at its head.
std::string programs_markdown(const std::vector<ComparedClaim>& claims, const std::vector<ClaimProgram>& programs, const Origin& origin,
                              const std::string& mark);

/// `programs` by application, and `over_programs` per claim in the form of claims_json().
Json programs_json(const std::vector<ComparedClaim>& claims, const std::vector<ClaimProgram>& programs, const Origin& origin,
                   const std::string& mark);

/// One line each for stimuli and programs, as claims_summary() has it.
std::string programs_summary(const std::vector<ComparedClaim>& claims);

}  // namespace wharf::cli

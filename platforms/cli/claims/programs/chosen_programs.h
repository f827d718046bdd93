#pragma once
// The programs of one command: those of a user's file, or those found in a folder of benchmark suites.

#include <map>
#include <string>
#include <vector>

#include "platforms/cli/claims/programs/claim_programs.h"

namespace wharf::cli {

struct ChosenPrograms {
  std::vector<ClaimProgram> list;
  bool has_suites = false;           // they were found in a folder of suites: what fails is left out
  std::vector<std::string> missing;  // of the suites: a line each, with what belongs where
};

/// The programs for the applications of `claims`. A folder without programs.yaml is a folder of suites. `known`: the applications of all
/// claims. Throws InputError if there is no program, and like load_claim_programs().
ChosenPrograms choose_programs(const std::string& file_or_folder, const std::vector<Claim>& claims, const std::vector<std::string>& known);

std::vector<std::string> applications_of(const ChosenPrograms& programs);

/// Removes the programs that cannot be recorded. `failures`: the reasons by application. Throws InputError with their places if they come from a
/// user's file, or if no program is left.
void leave_out(const std::map<std::string, std::string>& failures, ChosenPrograms& programs);

}  // namespace wharf::cli

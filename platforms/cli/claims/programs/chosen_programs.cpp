#include "platforms/cli/claims/programs/chosen_programs.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/claims/claim_selection.h"
#include "platforms/cli/claims/programs/suite_programs.h"
#include "platforms/cli/stimuli.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

/// The publication of all these claims; empty where they are of several.
std::string publication_of(const std::vector<Claim>& claims) {
  const bool is_one = std::all_of(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.source == claims.front().source; });
  return claims.empty() || !is_one ? "" : claims.front().source;
}

template <class Predicate>
void remove_if(std::vector<ClaimProgram>& programs, const Predicate& predicate) {
  programs.erase(std::remove_if(programs.begin(), programs.end(), predicate), programs.end());
}

ChosenPrograms of_suites(const std::string& folder, const std::vector<Claim>& claims) {
  const ClaimNames known = names_of(project_claims(all_suites()));
  FoundPrograms found = find_programs(suite_programs(known, publication_of(claims)), applications_of(claims), folder);
  if (found.programs.empty())
    throw InputError(fmt::format("--programs: {}: contains neither programs.yaml nor a program of the chosen claims:\n  {}", folder,
                                 fmt::join(found.missing, "\n  ")));
  return {std::move(found.programs), true, std::move(found.missing)};
}

}  // namespace

ChosenPrograms choose_programs(const std::string& file_or_folder, const std::vector<Claim>& claims, const std::vector<std::string>& known) {
  if (fs::is_directory(file_or_folder) && !fs::exists(fs::path(file_or_folder) / "programs.yaml")) return of_suites(file_or_folder, claims);
  ChosenPrograms chosen = {load_claim_programs(file_or_folder, known), false, {}};
  const std::vector<std::string> measured = applications_of(claims);
  remove_if(chosen.list, [&](const ClaimProgram& program) {
    return std::find(measured.begin(), measured.end(), program.application) == measured.end();
  });
  if (chosen.list.empty())
    throw InputError(fmt::format("--programs: {}: none of the chosen claims is measured over its applications; they are measured over {}",
                                 file_or_folder, join(measured)));
  return chosen;
}

std::vector<std::string> applications_of(const ChosenPrograms& programs) {
  std::vector<std::string> applications;
  for (const ClaimProgram& program : programs.list) applications.push_back(program.application);
  return applications;
}

void leave_out(const std::map<std::string, std::string>& failures, ChosenPrograms& programs) {
  const auto has_failed = [&](const ClaimProgram& program) { return failures.count(program.application) > 0; };
  if (!programs.has_suites || std::all_of(programs.list.begin(), programs.list.end(), has_failed)) {
    config::Mistakes mistakes;
    for (const ClaimProgram& program : programs.list)
      if (has_failed(program)) mistakes.add(program.where, program.application + ": " + failures.at(program.application));
    mistakes.throw_if_any();
  }
  remove_if(programs.list, has_failed);
}

}  // namespace wharf::cli

#pragma once
// Which of the project's claims and characteristics a command is about.

#include <string>
#include <vector>

#include "platforms/cli/claims/characteristics.h"
#include "platforms/cli/claims/claims.h"
#include "platforms/cli/runs/run_times.h"

namespace wharf::cli {

/// Those of platforms/claims, in the order of its files' names.
std::vector<Claim> project_claims(const std::vector<Suite>& suites);
/// Those of platforms/claims/characteristics, likewise.
std::vector<SourceCharacteristics> project_characteristics(const std::vector<Suite>& suites);

/// Whether `name` stands for the source: ch3 for ch3_remote_sharing.
bool is_source(const std::string& source, const std::string& name);

/// Keeps those of these sources and with these ids. Throws InputError for a name that is neither.
void keep_named(std::vector<Claim>& claims, const std::vector<std::string>& names);
void keep_named(std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& names);  // without the error
/// Throws InputError where a name is not one of a source.
void require_sources(const std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& names);
/// Keeps those measured by one of these metrics, or one of a family: energy stands for energy.total. Throws InputError for an unknown one.
void keep_measured_by(std::vector<Claim>& claims, const std::vector<std::string>& metrics);
/// headline, mechanism, or all. Throws InputError for anything else.
void keep_tier(std::vector<Claim>& claims, const std::string& tier);
/// Keeps of all groups these workloads, by name (bfs) or as written in a suite (bfs@wide), and the claims that are left with some for each
/// measure. Throws InputError for a workload that no claim has, nor any of the characteristics.
void keep_workloads(std::vector<Claim>& claims, std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& workloads);

/// How many workloads of a group a quick reproduction takes.
constexpr std::size_t kQuickWorkloads = 2;
/// Leaves of each measure's workloads the kQuickWorkloads named ones that run shortest by `times`, of a group without named ones of all;
/// the order of the suite decides between equals. Workloads that are not built in (`available` denies them) are passed over.
void keep_quick(std::vector<Claim>& claims, const RunTimes& times, bool (*available)(const std::string&));

}  // namespace wharf::cli

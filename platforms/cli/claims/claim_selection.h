#pragma once
// Selects the claims and characteristics that a command handles, and checks what they measure.

#include <string>
#include <vector>

#include "platforms/cli/claims/characteristics.h"
#include "platforms/cli/claims/claims.h"
#include "platforms/cli/runs/run_times.h"

namespace wharf::cli {

/// The claims of all designs (platforms/designs/*/claims.yaml), in order of their sources.
std::vector<Claim> project_claims(const std::vector<Suite>& suites);
/// Their characteristics (characteristics*.yaml there and in platforms/claims), likewise.
std::vector<SourceCharacteristics> project_characteristics(const std::vector<Suite>& suites);

/// True where `name` denotes the source: ch3 for ch3_remote_sharing.
bool is_source(const std::string& source, const std::string& name);

/// Keeps claims of these sources or with these ids. Throws InputError for a name that is neither.
void keep_named(std::vector<Claim>& claims, const std::vector<std::string>& names);
void keep_named(std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& names);  // without the error
/// Throws InputError where a name denotes no source.
void require_sources(const std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& names);
/// Keeps claims measured by one of these metrics or metric families: energy denotes energy.total. Throws InputError for an unknown one.
void keep_measured_by(std::vector<Claim>& claims, const std::vector<std::string>& metrics);
/// Keeps the tier headline, mechanism, or all. Throws InputError for any other.
void keep_tier(std::vector<Claim>& claims, const std::string& tier);
/// Keeps these workloads in all groups, by name (bfs) or as written in a suite (bfs@wide), and the claims with workloads left in each
/// measure. Throws InputError for a workload of no claim and no characteristic.
void keep_workloads(std::vector<Claim>& claims, std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& workloads);

/// Workloads per group in a quick reproduction.
constexpr std::size_t kQuickWorkloads = 2;
/// Keeps, of each measure's workloads, the kQuickWorkloads named ones with the shortest runs by `times`; for a group without named ones, of
/// all. Ties keep the order of the suite. Skips workloads that are not built in, as `available` reports.
void keep_quick(std::vector<Claim>& claims, const RunTimes& times, bool (*available)(const std::string&));

/// Throws InputError with every claim whose systems lack a metric that it needs.
void check_metrics(const std::vector<Claim>& claims);

}  // namespace wharf::cli

#pragma once
// What the built program knows by name, for checks of what documents name.

#include <map>
#include <set>
#include <string>

namespace wharf::lint {

/// What it prints for these arguments.
std::string output_of(const std::string& arguments);

/// Keys, groups of keys and metrics.
const std::set<std::string>& names_of_program();

/// Keys that take one of a few words, and these.
const std::map<std::string, std::set<std::string>>& values_of_program();

/// Workloads.
const std::set<std::string>& workloads_of_program();

}  // namespace wharf::lint

#pragma once
// Names that the built program knows, for checks of the documents.

#include <map>
#include <set>
#include <string>

namespace wharf::lint {

/// The program's output for these arguments.
std::string output_of(const std::string& arguments);

/// Keys, groups of keys and metrics.
const std::set<std::string>& names_of_program();

/// Keys whose value is one of a few words, and these words.
const std::map<std::string, std::set<std::string>>& values_of_program();

/// Workloads.
const std::set<std::string>& workloads_of_program();

}  // namespace wharf::lint

#pragma once
// What the charts of report.html are drawn from: comparisons as one JSON document, small enough to stand in a page.

#include <string>
#include <vector>

#include "platforms/cli/sweeps/comparison.h"

namespace wharf::cli {

/// `groups`, one each: names, what is refused, `bars` (values by configuration and stimulus, and their means), the tables
/// `latency_stack`, `links` and `bandwidth` of each run that has them, and the keys in which the configurations differ.
/// `wirings`: ends and places of links, shared by the runs of a configuration.
Json report_data(const std::vector<Comparison>& groups);

/// Keys whose values are not the same in all `resolved` configurations (YAML), a row each: the key, then a value a configuration,
/// empty where it has none.
std::vector<std::vector<std::string>> configuration_differences(const std::vector<std::string>& resolved);

}  // namespace wharf::cli

#pragma once
// The data behind the charts of report.html: comparisons as one JSON document, small enough for a page.

#include <string>
#include <vector>

#include "platforms/cli/sweeps/comparison.h"

namespace wharf::cli {

/// `groups` has one entry per group: names, refused configurations, `bars` (values by configuration and stimulus, and their means), the
/// tables of each run that has them, `slots` (shares of its issue slots by root cause), and the keys in which the configurations differ.
/// `wirings` has the ends and positions of links, shared by the runs of a configuration, `causes` the texts of the root causes.
Json report_data(const std::vector<Comparison>& groups);

/// The keys whose values differ among the `resolved` configurations (YAML), one row each: the key, then one value per configuration, empty
/// where it has none.
std::vector<std::vector<std::string>> configuration_differences(const std::vector<std::string>& resolved);

}  // namespace wharf::cli

#pragma once
// `search:` blocks over ordinary runs: which runs a search asks for, and whose record it keeps.

#include <optional>
#include <string>
#include <vector>

#include "model/base/config/layers.h"
#include "platforms/cli/runs/runner.h"

namespace wharf::cli {

/// There is a search, and no override has set its key already.
bool is_open(const std::optional<config::Search>& search, const std::vector<std::string>& overrides);

/// The spec once a value: the value as an override or, where the search is over configurations, as the configuration.
std::vector<RunSpec> candidates(const RunSpec& spec, const config::Search& search);

/// The record with the best objective, with what has been published for `workload`; `records[i]` belongs to the i-th value. It is failed where one of them is or lacks the
/// objective: the best of the others need not be the best. It is not_run where one of them is.
RunRecord winner(const config::Search& search, const std::vector<const RunRecord*>& records, const std::string& workload = {});

/// The configuration of a single run. Throws InputError that says what to do where a search is open: one run cannot choose.
Configuration closed_configuration_of(const RunSpec& spec);

}  // namespace wharf::cli

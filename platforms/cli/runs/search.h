#pragma once
// Implements `search:` with ordinary runs: plans the candidates, and selects the record to keep.

#include <optional>
#include <string>
#include <vector>

#include "model/base/config/layers.h"
#include "platforms/cli/runs/runner.h"

namespace wharf::cli {

/// True where there is a search and no override sets its key.
bool is_open(const std::optional<config::Search>& search, const std::vector<std::string>& overrides);

/// One spec per value: with the value as an override or, for a search over configurations, as the configuration.
std::vector<RunSpec> candidates(const RunSpec& spec, const config::Search& search);

/// The record with the best objective, with the published value for `workload`; `records[i]` belongs to the i-th value. It is failed where
/// any record is failed or lacks the objective, because the best of the others need not be the best, and not_run where any record is.
RunRecord winner(const config::Search& search, const std::vector<const RunRecord*>& records, const std::string& workload = {});

/// The configuration of a single run. Throws InputError with the remedy where a search is open, because one run cannot choose.
Configuration closed_configuration_of(const RunSpec& spec);

}  // namespace wharf::cli

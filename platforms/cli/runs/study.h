#pragma once
// `wharf run` of a configuration with a `study:` (model/base/config/study.h): an ordinary run for each point, and one table of them all.

#include <vector>

#include "model/base/config/study.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// The run of each point: `base` with the point's settings, but for those that `base` sets itself, and the study's stimulus.
std::vector<RunSpec> study_specs(const RunSpec& base, const config::Study& study);

/// A row a point, its metrics with the published figure and the departure from it in brackets behind them.
Table study_table(const config::Study& study, const std::string& title, const std::vector<RunRecord>& records);

/// The same as the table `study` of a result.json: columns `metric` and, where something is published, `metric published`.
Json study_json(const config::Study& study, const std::vector<RunRecord>& records);

/// Runs the study with progress, prints its table and writes <out>/result.json beside a folder for each run. An exit code.
int run_study(const RunSpec& base, const Configuration& configuration, const RunnerOptions& options, const Context& context);

}  // namespace wharf::cli

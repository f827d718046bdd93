#pragma once
// Runs a configuration with a `study:` (model/base/config/study.h): one ordinary run per point, and one table of all points.

#include <vector>

#include "model/base/config/study.h"
#include "platforms/cli/context.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/terminal/table.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {

/// The run of each point: `base` with the study's stimulus and the point's settings, except those that `base` sets itself.
std::vector<RunSpec> study_specs(const RunSpec& base, const config::Study& study);

/// One row per point: each metric, with the published figure and the deviation in brackets.
Table study_table(const config::Study& study, const std::string& title, const std::vector<RunRecord>& records);

/// The same as the table `study` of a result.json: columns `metric` and, where a figure is published, `metric published`.
Json study_json(const config::Study& study, const std::vector<RunRecord>& records);

/// Runs the study with progress, prints its table, and writes <out>/result.json beside one folder per run. Returns the exit code.
int run_study(const RunSpec& base, const Configuration& configuration, const RunnerOptions& options, const Context& context,
              const TableOutput& output);

}  // namespace wharf::cli

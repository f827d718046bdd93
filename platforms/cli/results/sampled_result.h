#pragma once
// The results of a run that simulated a sample of its launches (docs/howto-sample.md). Their names and places differ from those of measured
// results, so that no reader takes an estimate for a count.

#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"
#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/sampling/skipped_work.h"

namespace wharf::cli {

/// What did not run in detail.
struct SkippedPart {
  const SkippedLaunches& work;
  bool warms;  // all of it has left its data in L2 and DRAM
};

/// The whole document. `size_unit`: of LaunchFacts::size. Estimates are left out if the run did not reach its end.
Json sampled_result_json(const Json& inputs, const Measurement& measured, const SamplingPlan& plan, const char* size_unit,
                         const SkippedPart& skipped);

/// The estimates alone, in the form of `run` in the result of a whole run.
Json estimates_of(const Json& result);

/// Half of the 95 % interval of the ratio of two machines' totals of a metric, from the same launches on both: its error is that of the launches'
/// differences. NaN if the two measured other launches.
double half_width_of_ratio(const Json& above, const Json& below, const char* metric);

/// The estimates of such a document: metric, unit, estimate and bounds of the interval.
std::string sampled_csv(const Measurement& measured, const Json& result);

/// The first estimates, and a row for each group of launches.
std::vector<Table> sampled_tables(const Json& result);

/// A summary in a few lines.
std::string sampled_summary(const Json& result);

}  // namespace wharf::cli

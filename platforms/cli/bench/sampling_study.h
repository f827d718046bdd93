#pragma once
// Compares sampled runs (docs/howto-sample.md) with whole ones.

#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// A whole run and a sampled one with the same seed.
struct SampledPair {
  Json whole, sampled;  // results
};

struct SamplingCase {
  std::string stimulus;
  std::vector<SampledPair> pairs = {};  // with one seed each
  std::string failure = {};             // why a run failed
};

/// For each of the seeds 1 to `repetitions`, a whole run of `spec` and one with `sample` launches of each group.
std::vector<RunSpec> sampling_specs(const RunSpec& spec, std::uint64_t sample, std::uint64_t repetitions);

/// A row per case: what ran in detail, the errors of the estimates, and how many intervals hold the whole run's cycles.
Table sampling_table(const std::vector<SamplingCase>& cases);
/// {"cases": [{"stimulus", "launches", "pairs": [{"seed", "detailed", "processor_time", "holds", "errors": {metric: relative error}}], or
/// "failure"}]}.
Json sampling_json(const std::vector<SamplingCase>& cases);

}  // namespace wharf::cli

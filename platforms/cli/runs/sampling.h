#pragma once
// Runs that simulate a sample of their launches: what can be sampled, the plan of the launches, the stimulus, and the size of the sample.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/measure/interval_metrics.h"
#include "stimuli/sampling/sampling_plan.h"

namespace wharf::cli {

class CommandLine;
struct PreparedRun;

/// The fewest launches of which a variance can be estimated.
inline constexpr std::uint64_t kFewestSamples = 2;

/// Throws InputError, with the remedy, for what cannot be sampled.
void require_sampleable(const RunSpec& spec, const Configuration& configuration);

/// Plans the launches of the spec's stimulus, with its sample of each group. Opens the stimulus for this alone: reads the headers of a
/// trace, and runs others functionally, in part where their launches are known, or to their end. `on_launch` is called before each of those launches with the number of earlier ones.
/// Throws InputError.
SamplingPlan plan_launches(const RunSpec& spec, const Configuration& configuration, const std::function<void(std::size_t)>& on_launch);

/// "2%" or "2" is 0.02. Throws InputError, with `name` in front, unless it is above 0 % and at most 100 %.
double parse_sample_error(const char* name, const std::string& text);
/// The value of --sample-error; 0 where it is not given. Throws InputError where --sample is not given too.
double sample_error_of(const CommandLine& arguments);

/// How many launches to draw of each group, and spans of each long launch, so that half the 95 % interval of cycles becomes `error` of the
/// estimate or less, by the spread in the sampled `result`: more than it has drawn, and at most four times as many. 0 if the interval is narrow
/// enough, all launches are measured whole, or the result is partial.
std::uint64_t next_per_group(const Json& result, double error);

/// Runs the specs, and those of a stimulus again with larger samples, the same on every machine, until the interval of cycles is on each as
/// narrow as `error` says (see above); 0: once.
RunBatch run_sampled_batch(std::vector<RunSpec>& specs, const RunnerOptions& options, double error, std::ostream& err);

/// The kernels of the run's trace that its plan has run in detail.
std::unique_ptr<Stimulus> open_detailed_part(const PreparedRun& run);

/// The unit of LaunchFacts::size.
const char* size_unit_of(const RunSpec& spec);

}  // namespace wharf::cli

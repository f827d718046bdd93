#pragma once
// Lists the launches of a program before it is simulated.

#include <functional>
#include <vector>

#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/stimulus.h"
#include "stimuli/traces/trace_reader.h"

namespace wharf {

/// Executes `stimulus` functionally to its end. `on_launch` is called before each launch with the number of earlier ones. Throws what the stimulus
/// throws. `ctas_at_a_time` gives that of LaunchFacts.
std::vector<LaunchFacts> launches_of_functional_run(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                                    const std::function<std::uint64_t(const KernelLaunch&)>& ctas_at_a_time);

/// Reads no CTA.
std::vector<LaunchFacts> launches_of_trace(const traces::TraceStimulus& trace);

/// The part of a trace that runs in detail.
traces::TraceList detailed_part(const traces::TraceList& trace, const SamplingPlan& plan);

}  // namespace wharf

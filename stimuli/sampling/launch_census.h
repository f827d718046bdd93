#pragma once
// Lists the launches of a program before it is simulated.

#include <functional>
#include <optional>
#include <vector>

#include "stimuli/cuda/device/cuda_stimulus.h"
#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/stimulus.h"
#include "stimuli/traces/trace_reader.h"

namespace wharf {

/// Gives that of LaunchFacts.
using CtasAtATime = std::function<std::uint64_t(const KernelLaunch&)>;

/// Executes only some CTAs of each launch, evenly spread, and takes the others to be as long: sizes are expected ones. Nothing where CTAs
/// do not run without the others. Stimulus::leave_out_ctas() must have returned true.
std::optional<std::vector<LaunchFacts>> launches_of_some_ctas(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                                              const CtasAtATime& ctas_at_a_time);

/// Executes `stimulus` functionally to its end. `on_launch` is called before each launch with the number of earlier ones. Throws what the stimulus
/// throws.
std::vector<LaunchFacts> launches_of_functional_run(Stimulus& stimulus, const std::function<void(std::size_t)>& on_launch,
                                                    const CtasAtATime& ctas_at_a_time);

/// Executes no kernel. Nothing where the recording does not have the sizes of its launches. Throws what the recording throws.
std::optional<std::vector<LaunchFacts>> launches_of_recording(cuda::RecordedStimulus& recording, const CtasAtATime& ctas_at_a_time);

/// Reads no CTA.
std::vector<LaunchFacts> launches_of_trace(const traces::TraceStimulus& trace, const CtasAtATime& ctas_at_a_time);

/// The part of a trace that runs in detail.
traces::TraceList detailed_part(const traces::TraceList& trace, const SamplingPlan& plan);

}  // namespace wharf

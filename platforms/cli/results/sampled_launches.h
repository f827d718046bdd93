#pragma once
// The launches of a sampled run in result.json, and what they contribute to its estimates.

#include <string>

#include "platforms/measure/interval_metrics.h"
#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/sampling/stratified_estimate.h"

namespace wharf::cli {

/// A launch that ran in detail. Metrics are what was counted; of a launch in part, `spans` has those of its spans too, and `skipped`, the warp
/// instructions of its other CTAs.
Json sampled_launch_json(const SamplingPlan& plan, std::size_t launch, const Interval& counted, std::uint64_t skipped,
                         const IntervalMetrics& metrics);

/// A metric of such a launch, less `ratio` times that of the same launch on another machine, if there is one. Of a launch in part, an estimate
/// from its spans: those measured between the first and the last one stand for all there, by their warp instructions.
SampledMember member_of(const Json& launch, const std::string& metric, const Json* elsewhere = nullptr, double ratio = 0);

/// True if the same spans of both launches ran.
bool has_equal_spans(const Json& launch, const Json& other);

}  // namespace wharf::cli

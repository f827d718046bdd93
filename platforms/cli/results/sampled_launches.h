#pragma once
// The launches of a sampled run in result.json, and what they contribute to its estimates.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/measure/interval_metrics.h"
#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/sampling/skipped_work.h"
#include "stimuli/sampling/stratified_estimate.h"

namespace wharf::cli {

/// A launch that ran in detail. Metrics are what was counted; of a launch in part, `spans` has those of its spans too, and the warp instructions
/// of its skipped CTAs, of which `skipped` are.
Json sampled_launch_json(const SamplingPlan& plan, std::size_t launch, const Interval& counted, const std::vector<SkippedWork>& skipped,
                         const IntervalMetrics& metrics);

/// The warp instructions of each launch of a run that has reached its end.
std::vector<std::uint64_t> executed_sizes(const SamplingPlan& plan, const Measurement& measured, const SkippedLaunches& skipped);

/// Places of metrics in Counts, by name.
using MetricPlaces = std::unordered_map<std::string, std::size_t>;
using Counts = std::vector<double>;

/// Such a launch, with the metrics that estimates are made of.
struct LaunchCounts {
  struct Span {
    std::uint64_t number = 0;
    bool measured = false;
    double warp_instructions = 0;
    Counts counts;
  };
  double size = 0;
  Counts counts;
  // Of a launch in part; 0 for others.
  std::uint64_t spans = 0, ctas_per_span = 0;
  double warp_instructions = 0, skipped_warp_instructions = 0;  // of CTAs in detail and of the others
  std::vector<Span> detailed;
};

/// Reads a launch of result.json. Throws Json::exception if it lacks a metric that `places` names.
LaunchCounts counts_of(const Json& launch, const MetricPlaces& places);

/// The launch with the counts of the same launch on another machine behind its own.
LaunchCounts beside(LaunchCounts launch, const LaunchCounts& other);

/// True if the same spans of both launches ran.
bool has_equal_spans(const LaunchCounts& launch, const LaunchCounts& other);

/// A sum of metrics: their places and factors.
using LinearMetric = std::vector<std::pair<std::size_t, double>>;

double value_of(const Counts& counts, const LinearMetric& metric);

/// What a launch contributes to the estimate of `metric`. Of a launch in part, an estimate from its spans: those measured between the first and
/// the last one stand for all there, by their warp instructions.
SampledMember member_of(const LaunchCounts& launch, const LinearMetric& metric);

}  // namespace wharf::cli

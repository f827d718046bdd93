#pragma once
// The traffic of work that ran in detail, as skipped work like it leads to expect.

#include <array>
#include <cstdint>

#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/sampling/skipped_work.h"

namespace wharf::cli {

/// Beside what was counted, it tells how far the counts of skipped work are off. The skipped work is the nearest before and behind, and counts by
/// its warp instructions. What lies between the two is expected as it is.
class ExpectedTraffic {
 public:
  using Counts = std::array<double, kL2Traffic.size()>;

  /// Both must outlive it.
  ExpectedTraffic(const SamplingPlan& plan, const SkippedLaunches& skipped) : plan_(plan), skipped_(skipped) {}

  /// Of a launch that counted `counted`, from those of its group. 0 if none is skipped.
  Counts of_launch(std::size_t launch, const Counts& counted) const;
  /// Of a span of a launch in part, by its place in CtaSpans::detailed(), from the CTAs skipped around it. 0 if none are.
  Counts of_span(std::size_t launch, std::size_t span, double warp_instructions, const Counts& counted) const;
  /// Of all skipped work: what was counted.
  Counts of_skipped() const;

 private:
  const SamplingPlan& plan_;
  const SkippedLaunches& skipped_;
};

}  // namespace wharf::cli

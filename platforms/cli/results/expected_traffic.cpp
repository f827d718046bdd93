#include "platforms/cli/results/expected_traffic.h"

#include <algorithm>

namespace wharf::cli {
namespace {

ExpectedTraffic::Counts scaled(const SkippedWork* before, const SkippedWork* behind, double warp_instructions) {
  ExpectedTraffic::Counts counts{};
  double instructions = 0;
  for (const SkippedWork* work : {before, behind})
    if (work != nullptr) instructions += static_cast<double>(work->warp_instructions);
  if (instructions == 0) return counts;
  for (const SkippedWork* work : {before, behind})
    for (std::size_t i = 0; work != nullptr && i < counts.size(); ++i)
      counts[i] += static_cast<double>(work->traffic[i]) * warp_instructions / instructions;
  return counts;
}

}  // namespace

ExpectedTraffic::Counts ExpectedTraffic::of_launch(std::size_t launch) const {
  const SkippedWork *before = nullptr, *behind = nullptr;
  for (const LaunchGroup& group : plan_.groups()) {
    if (!std::binary_search(group.launches.begin(), group.launches.end(), launch)) continue;
    for (const std::size_t other : group.launches) {
      if (plan_.is_detailed(other) || skipped_[other].empty() || behind != nullptr) continue;
      (other < launch ? before : behind) = &skipped_[other].front();
    }
  }
  return scaled(before, behind, static_cast<double>(plan_.launches()[launch].size));
}

ExpectedTraffic::Counts ExpectedTraffic::of_span(std::size_t launch, std::size_t span, double warp_instructions) const {
  const SkippedWork *before = nullptr, *behind = nullptr;
  for (const SkippedWork& work : skipped_[launch]) {
    if (behind != nullptr) break;
    (work.before_span <= span ? before : behind) = &work;
  }
  return scaled(before, behind, warp_instructions);
}

ExpectedTraffic::Counts ExpectedTraffic::of_skipped() const {
  Counts counts{};
  for (const auto& launch : skipped_)
    for (const SkippedWork& work : launch)
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += static_cast<double>(work.traffic[i]);
  return counts;
}

}  // namespace wharf::cli

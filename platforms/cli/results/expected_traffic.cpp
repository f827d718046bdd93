#include "platforms/cli/results/expected_traffic.h"

#include <algorithm>
#include <utility>

namespace wharf::cli {
namespace {

ExpectedTraffic::Counts nearest(const SkippedWork* before, const SkippedWork* behind, double warp_instructions,
                                const ExpectedTraffic::Counts& counted) {
  ExpectedTraffic::Counts counts{};
  if (before == nullptr) std::swap(before, behind);
  if (before == nullptr) return counts;
  if (behind == nullptr) behind = before;
  const auto scaled = [&](const SkippedWork& work, std::size_t i) {
    return work.warp_instructions == 0
               ? 0
               : static_cast<double>(work.traffic[i]) * warp_instructions / static_cast<double>(work.warp_instructions);
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto [least, most] = std::minmax({scaled(*before, i), scaled(*behind, i)});
    counts[i] = std::clamp(counted[i], least, most);
  }
  return counts;
}

}  // namespace

ExpectedTraffic::Counts ExpectedTraffic::of_launch(std::size_t launch, const Counts& counted) const {
  const SkippedWork *before = nullptr, *behind = nullptr;
  for (const LaunchGroup& group : plan_.groups()) {
    if (!std::binary_search(group.launches.begin(), group.launches.end(), launch)) continue;
    for (const std::size_t other : group.launches) {
      if (plan_.is_detailed(other) || skipped_[other].empty() || behind != nullptr) continue;
      (other < launch ? before : behind) = &skipped_[other].front();
    }
  }
  return nearest(before, behind, static_cast<double>(plan_.launches()[launch].size), counted);
}

ExpectedTraffic::Counts ExpectedTraffic::of_span(std::size_t launch, std::size_t span, double warp_instructions,
                                                 const Counts& counted) const {
  const SkippedWork *before = nullptr, *behind = nullptr;
  for (const SkippedWork& work : skipped_[launch]) {
    if (behind != nullptr) break;
    (work.before_span <= span ? before : behind) = &work;
  }
  return nearest(before, behind, warp_instructions, counted);
}

ExpectedTraffic::Counts ExpectedTraffic::of_skipped() const {
  Counts counts{};
  for (const auto& launch : skipped_)
    for (const SkippedWork& work : launch)
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += static_cast<double>(work.traffic[i]);
  return counts;
}

}  // namespace wharf::cli

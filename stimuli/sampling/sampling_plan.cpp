#include "stimuli/sampling/sampling_plan.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/base/bits.h"
#include "stimuli/sampling/random_draw.h"

namespace wharf {
namespace {

// These separate random numbers from those of the machine, and of the launches.
constexpr std::uint64_t kSamplingStream = 0x73616d706c65, kSpanStream = 0x7370616e00000000;

auto key_of(const LaunchFacts& launch) {
  const Dim3 &grid = launch.grid, &block = launch.block;
  return std::tuple(launch.kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, floor_log2(launch.size));
}

}  // namespace

SamplingPlan::SamplingPlan(std::vector<LaunchFacts> launches, std::uint64_t per_group, std::uint64_t seed, WarmedBy warmed_by)
    : per_group_(per_group),
      warmed_by_(warmed_by),
      launches_(std::move(launches)),
      roles_(launches_.size(), LaunchRole::skipped),
      spans_(launches_.size()) {
  group_launches();
  Rng rng(seed, kSamplingStream);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::vector<std::size_t>& all = groups_[g].launches;
    strata_.push_back({g, 1, 0, {all.front()}});
    const std::vector<std::size_t> later(all.begin() + 1, all.end());
    if (!later.empty()) strata_.push_back({g, later.size(), 0, draw(later, per_group, rng)});
  }
  add_up_sizes();
  assign_roles();
  divide_long_launches(seed);
}

void SamplingPlan::divide_long_launches(std::uint64_t seed) {
  for (const std::size_t launch : detailed()) {
    Rng rng(seed, kSpanStream + launch);
    spans_[launch] = CtaSpans::of(launches_[launch].grid.count(), launches_[launch].ctas_at_a_time, per_group_, rng);
  }
}

std::vector<std::vector<std::uint64_t>> SamplingPlan::span_starts() const {
  std::vector<std::vector<std::uint64_t>> starts;
  for (const std::size_t launch : detailed()) {
    std::vector<std::uint64_t>& of_launch = starts.emplace_back();
    std::uint64_t ctas = 0;
    if (spans_[launch])
      for (const CtaSpan& span : spans_[launch]->detailed()) {
        if (ctas != 0) of_launch.push_back(ctas);
        ctas += span.ctas;
      }
  }
  return starts;
}

void SamplingPlan::group_launches() {
  std::map<decltype(key_of(LaunchFacts())), std::size_t> group_at;
  for (std::size_t launch = 0; launch < launches_.size(); ++launch) {
    const LaunchFacts& facts = launches_[launch];
    const auto [at, is_new] = group_at.try_emplace(key_of(facts), groups_.size());
    if (is_new) groups_.push_back({facts, 0, 0, 0, {}});
    groups_[at->second].launches.push_back(launch);
  }
}

/// Of groups and strata, from those of the launches.
void SamplingPlan::add_up_sizes() {
  for (LaunchGroup& group : groups_) {
    group.first.size = group.smallest = group.largest = launches_[group.launches.front()].size;
    group.size = 0;
    for (const std::size_t launch : group.launches) {
      const std::uint64_t size = launches_[launch].size;
      group.smallest = std::min(group.smallest, size);
      group.largest = std::max(group.largest, size);
      group.size += size;
    }
  }
  for (LaunchStratum& stratum : strata_) {
    const LaunchGroup& group = groups_[stratum.group];
    const bool is_first = stratum.measured.front() == group.launches.front();
    stratum.size = is_first ? group.first.size : group.size - group.first.size;
  }
}

SamplingPlan SamplingPlan::with_executed(const std::vector<std::uint64_t>& sizes) const {
  SamplingPlan plan = *this;
  for (std::size_t launch = 0; launch < sizes.size(); ++launch)
    if (plan.launches_[launch].is_expected) plan.launches_[launch].size = sizes[launch];
  plan.add_up_sizes();
  return plan;
}

void SamplingPlan::assign_roles() {
  for (const LaunchStratum& stratum : strata_)
    for (const std::size_t launch : stratum.measured) roles_[launch] = LaunchRole::measured;
  if (warmed_by_ == WarmedBy::skipped_launches) return;
  for (std::size_t launch = 1; launch < roles_.size(); ++launch)
    if (roles_[launch] == LaunchRole::measured && roles_[launch - 1] == LaunchRole::skipped) roles_[launch - 1] = LaunchRole::warm_up;
}

bool SamplingPlan::is_complete() const {
  return std::all_of(roles_.begin(), roles_.end(), [](LaunchRole role) { return role == LaunchRole::measured; }) &&
         std::none_of(spans_.begin(), spans_.end(), [](const std::optional<CtaSpans>& spans) { return spans.has_value(); });
}

std::vector<std::size_t> SamplingPlan::detailed() const {
  std::vector<std::size_t> numbers;
  for (std::size_t launch = 0; launch < roles_.size(); ++launch)
    if (is_detailed(launch)) numbers.push_back(launch);
  return numbers;
}

}  // namespace wharf

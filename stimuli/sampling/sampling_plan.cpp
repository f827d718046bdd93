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
    const std::uint64_t first_size = groups_[g].first.size;
    strata_.push_back({g, 1, first_size, {all.front()}});
    const std::vector<std::size_t> later(all.begin() + 1, all.end());
    if (!later.empty()) strata_.push_back({g, later.size(), groups_[g].size - first_size, draw(later, per_group, rng)});
  }
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
    if (is_new) groups_.push_back({facts, facts.size, facts.size, 0, {}});
    LaunchGroup& group = groups_[at->second];
    group.smallest = std::min(group.smallest, facts.size);
    group.largest = std::max(group.largest, facts.size);
    group.size += facts.size;
    group.launches.push_back(launch);
  }
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

#include "stimuli/sampling/cta_spans.h"

#include <set>

#include "stimuli/sampling/random_draw.h"

namespace wharf {
namespace {

/// Spans in detail before a measured one. CTAs that end in the first of them still come from before the gap.
constexpr std::uint64_t kWarmUp = 2;

}  // namespace

std::optional<CtaSpans> CtaSpans::of(std::uint64_t ctas, std::uint64_t at_a_time, std::uint64_t drawn, Rng& rng) {
  if (drawn >= ctas) return std::nullopt;
  const std::uint64_t settling = 2 * drawn * at_a_time, most_detailed = settling + ((1 + kWarmUp) * (drawn + 1) + 1) * at_a_time;
  if (at_a_time == 0 || ctas < 2 * most_detailed) return std::nullopt;
  const std::uint64_t count = 1 + (ctas - settling) / at_a_time;
  std::vector<std::size_t> between;
  for (std::uint64_t number = 1; number + 1 < count; ++number) between.push_back(number);
  std::set<std::uint64_t> measured = {0, count - 1};
  for (const std::size_t number : draw(std::move(between), drawn, rng)) measured.insert(number);

  CtaSpans spans;
  spans.count_ = count;
  spans.per_span_ = at_a_time;
  for (std::uint64_t number = 0; number < count; ++number) {
    if (*measured.lower_bound(number) > number + kWarmUp) continue;
    const std::uint64_t first = number == 0 ? 0 : settling + (number - 1) * at_a_time;
    const std::uint64_t end = number + 1 == count ? ctas : settling + number * at_a_time;
    spans.detailed_.push_back({number, first, end - first, measured.count(number) != 0});
    spans.detailed_ctas_ += end - first;
  }
  return spans;
}

}  // namespace wharf

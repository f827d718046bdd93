#include "stimuli/sampling/cta_spans.h"

#include <catch2/catch.hpp>

#include "stimuli/sampling/sampling_plan.h"

using namespace wharf;

namespace {

constexpr std::uint64_t kAtATime = 16, kDrawn = 2;

std::optional<CtaSpans> spans_of(std::uint64_t ctas, std::uint64_t seed = 1) {
  Rng rng(seed);
  return CtaSpans::of(ctas, kAtATime, kDrawn, rng);
}

}  // namespace

TEST_CASE("cta spans: a launch runs whole if more than half of its CTAs might run in detail") {
  const std::uint64_t least =
      2 * (2 * kDrawn + 3 * (kDrawn + 1) + 1) * kAtATime;  // the first span; drawn ones and the last, and two before
  CHECK_FALSE(spans_of(least - 1));
  REQUIRE(spans_of(least));
  CHECK(2 * spans_of(least)->detailed_ctas() <= least);
  Rng rng(1);
  CHECK_FALSE(CtaSpans::of(1u << 20, 0, kDrawn, rng));
  CHECK_FALSE(CtaSpans::of(1u << 20, 16, std::uint64_t{1} << 63, rng));
}

TEST_CASE("cta spans: the first and the last and the drawn ones are measured, and each has two neighbours in detail before it") {
  const CtaSpans spans = *spans_of(1000);
  CHECK(spans.count() == 1 + (1000 - 4 * kAtATime) / kAtATime);
  const std::vector<CtaSpan>& detailed = spans.detailed();
  CHECK(detailed.front().first == 0);
  CHECK(detailed.front().ctas == 2 * kDrawn * kAtATime);
  CHECK(detailed.front().measured);
  CHECK(detailed.back().number == spans.count() - 1);
  CHECK(detailed.back().end() == 1000);
  CHECK(detailed.back().ctas == kAtATime + (1000 - 4 * kAtATime) % kAtATime);
  std::uint64_t measured = 0, ctas = 0;
  for (std::size_t i = 0; i < detailed.size(); ++i) {
    const CtaSpan& span = detailed[i];
    CAPTURE(span.number);
    ctas += span.ctas;
    if (i > 0) CHECK(detailed[i - 1].end() <= span.first);
    if (i > 0 && i + 1 < detailed.size()) CHECK(span.ctas == spans.ctas_per_span());
    if (span.measured) {
      ++measured;
      if (i > 0) CHECK(detailed[i - 1].end() == span.first);
      if (i > 1) CHECK(detailed[i - 2].number == span.number - 2);
    } else {
      CHECK((detailed[i + 1].measured || detailed[i + 2].measured));
    }
  }
  CHECK(measured == kDrawn + 2);
  CHECK(ctas == spans.detailed_ctas());
}

TEST_CASE("cta spans: the seed decides which are drawn") {
  const auto numbers = [](std::uint64_t seed) {
    std::vector<std::uint64_t> all;
    const CtaSpans spans = *spans_of(10'000, seed);
    for (const CtaSpan& span : spans.detailed()) all.push_back(span.number);
    return all;
  };
  CHECK(numbers(1) == numbers(1));
  CHECK(numbers(1) != numbers(2));
}

TEST_CASE("a plan divides the long launches that run in detail, and names where their spans start") {
  const LaunchFacts longer{"k", {1000, 1, 1}, {64, 1, 1}, 5000, kAtATime}, shorter{"s", {100, 1, 1}, {64, 1, 1}, 500, kAtATime};
  const SamplingPlan plan({longer, shorter}, kDrawn, 1);
  CHECK_FALSE(plan.is_complete());
  REQUIRE(plan.spans(0) != nullptr);
  CHECK(plan.spans(1) == nullptr);
  const auto starts = plan.span_starts();
  REQUIRE(starts.size() == 2);
  CHECK(starts[1].empty());
  REQUIRE(starts[0].size() + 1 == plan.spans(0)->detailed().size());
  CHECK(starts[0].front() == 2 * kDrawn * kAtATime);
  CHECK(starts[0].back() == plan.spans(0)->detailed_ctas() - plan.spans(0)->detailed().back().ctas);
  CHECK(SamplingPlan({shorter}, kDrawn, 1).is_complete());
}

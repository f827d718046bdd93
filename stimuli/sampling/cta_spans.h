#pragma once
// The part of a long launch that runs in detail: some spans of adjacent CTAs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/rng.h"

namespace wharf {

struct CtaSpan {
  std::uint64_t number = 0;  // in the launch, from 0
  std::uint64_t first = 0;   // CTA, in the order in which they start
  std::uint64_t ctas = 0;
  bool measured = false;

  std::uint64_t end() const { return first + ctas; }
};

/// A launch is divided into spans of as many CTAs as the machine holds at a time, whole clusters, but for the first and the last one, which are
/// measured, and others, of which some are drawn at random. In the first span, twice as long as all drawn ones together, the machine fills and
/// settles: CTAs that start together take many turns to drift apart. The last one has the rest of the CTAs, and the machine empties. Two spans
/// before each measured one run in detail too, so that CTAs of a measured span begin and end among their neighbours.
class CtaSpans {
 public:
  /// `ctas` of the launch, of which the machine holds `at_a_time`; `drawn` of the spans between the first and the last. Nothing if more than
  /// half of the CTAs would run in detail.
  static std::optional<CtaSpans> of(std::uint64_t ctas, std::uint64_t at_a_time, std::uint64_t drawn, Rng& rng);

  std::uint64_t count() const { return count_; }             // of all spans
  std::uint64_t ctas_per_span() const { return per_span_; }  // between the first and the last
  std::uint64_t detailed_ctas() const { return detailed_ctas_; }
  /// The spans that run in detail, ascending.
  const std::vector<CtaSpan>& detailed() const { return detailed_; }

 private:
  std::uint64_t count_ = 0, per_span_ = 0, detailed_ctas_ = 0;
  std::vector<CtaSpan> detailed_;
};

}  // namespace wharf

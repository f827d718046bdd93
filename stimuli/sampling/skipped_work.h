#pragma once
// What a sampled run executes without time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stimuli/sampling/warmed_caches.h"

namespace wharf {

/// A launch, or CTAs of a launch in part.
struct SkippedWork {
  std::size_t before_span = 0;  // in CtaSpans::detailed(); of a launch: 0
  std::uint64_t warp_instructions = 0;
  L2Traffic traffic{};  // 0 if no caches are warmed
};

/// [launch of the plan]
using SkippedLaunches = std::vector<std::vector<SkippedWork>>;

}  // namespace wharf

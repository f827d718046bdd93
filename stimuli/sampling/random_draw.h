#pragma once
// Draws a sample without replacement.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/rng.h"

namespace wharf {

/// `count` of `from`, ascending; all of them if there are no more.
inline std::vector<std::size_t> draw(std::vector<std::size_t> from, std::uint64_t count, Rng& rng) {
  if (from.size() <= count) return from;
  for (std::size_t i = 0; i < count; ++i) std::swap(from[i], from[i + rng.below(from.size() - i)]);
  from.resize(count);
  std::sort(from.begin(), from.end());
  return from;
}

}  // namespace wharf

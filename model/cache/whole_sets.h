#pragma once
// The rule that every cache's shape must obey.

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

/// Requires that the lines of `capacity_kib`, the value of key `capacity`, form whole sets of `ways` lines.
inline void require_whole_sets(config::Binder& b, std::string_view capacity, std::uint32_t capacity_kib, std::uint32_t ways) {
  const std::uint64_t lines = capacity_kib * 1024ull / kLineBytes;
  b.require(lines % ways == 0, "ways",
            "is " + std::to_string(ways) + ", which does not divide the " + std::to_string(lines) + " lines of " + std::string(capacity) +
                " into whole sets",
            "use a divisor of " + std::to_string(lines));
}

}  // namespace wharf

#pragma once
// What caches tell those who act on the interference between warps.

#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// What a cache of the L1 class, or the shared-memory cache, tells of whose lines came and went (ciao sections 3.3 and 4.1). Loads, stores
/// and atomics of global and local space; not of merged misses and retries.
struct CacheEvent {
  enum class Kind : std::uint8_t {
    missed,   // a load of `warp` has missed everywhere it was to look: told before the eviction that this miss causes
    evicted,  // the line that `warp` brought in has given way to one of `by_warp`; not told where a store to it, another invalidation
              // or a migration took it
    stored,   // `warp` has written to the line
    taken,    // the line that `warp` brought in has gone because `by_warp` wrote to it: beside stored, where the L1 keeps no written lines
  };
  Kind kind = Kind::missed;
  bool from_shared = false;    // evicted: from the shared-memory cache
  std::uint16_t sm = 0;        // whose warp
  std::uint16_t warp = 0;
  std::uint16_t by_sm = 0;     // evicted, taken: whose warp's line came in its place, or whose store it was
  std::uint16_t by_warp = 0;
  LineAddress line;
};

}  // namespace wharf

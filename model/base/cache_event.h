#pragma once
// The events by which caches report interference between warps.

#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// An event at a line of an L1-class cache or the shared-memory cache (ciao sections 3.3 and 4.1). Loads, stores and atomics of global
/// and local space cause events; merged misses and retries do not.
struct CacheEvent {
  enum class Kind : std::uint8_t {
    missed,   // a load of `warp` missed in every cache that it looked up; reported before the eviction that this miss causes
    evicted,  // a line of `by_warp` replaced the one that `warp` had fetched; not reported for an invalidation or a migration
    stored,   // `warp` wrote to the line
    taken,    // a store of `by_warp` removed the line that `warp` had fetched; reported with `stored` where the L1 evicts on a store hit
  };
  Kind kind = Kind::missed;
  bool from_shared = false;  // evicted: the shared-memory cache lost the line
  std::uint16_t sm = 0;      // the SM of `warp`
  std::uint16_t warp = 0;
  std::uint16_t by_sm = 0;  // evicted, taken: the SM of `by_warp`
  std::uint16_t by_warp = 0;
  LineAddress line;
};

}  // namespace wharf

#pragma once
// The access-policy window of a kernel launch: an address range whose lines L2 keeps or gives up by class (LR-4).

#include <cstdint>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf {

struct L2Window {
  Address base = 0;
  std::uint64_t bytes = 0;              // 0: no window
  double hit_ratio = 1;                 // 0 to 1: share of the window's lines that get on_hit; the others get on_miss
  Eviction on_hit = Eviction::last;     // last, first or normal
  Eviction on_miss = Eviction::normal;  // first or normal

  /// The hint for an unhinted access to `line`. A line of the window always gets the same one, by a hash of its number.
  Eviction eviction_of(LineAddress line) const {
    if (bytes == 0 || line < LineAddress::of(base) || LineAddress::of(base + bytes - 1) < line) return Eviction::unhinted;
    std::uint64_t hash = line.number;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    constexpr double kSteps = 1ull << 53;
    return static_cast<double>((hash ^ hash >> 31) >> 11) < hit_ratio * kSteps ? on_hit : on_miss;
  }
};

}  // namespace wharf

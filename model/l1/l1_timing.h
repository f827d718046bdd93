#pragma once
// When an L1-class cache has decided on an access, and when its data are at the SM: what the keys of its latencies mean (CM-9).

#include <algorithm>
#include <cstdint>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

struct L1Timing {
  std::uint32_t tag_cycles = 4;
  std::uint32_t data_cycles = 24;
  std::uint32_t fill_cycles = 1;

  /// From the acceptance of an access to its data at the SM.
  std::uint32_t hit_latency() const { return tag_cycles + data_cycles; }
  /// The lookup keeps its time, but for a hit that is faster than it.
  void set_hit_latency(std::uint32_t cycles) { data_cycles = cycles - std::min(cycles, tag_cycles); }
  /// From the acceptance of an access to the cycle of its lookup, at whose end hit or miss is known.
  Cycle lookup_latency() const { return tag_cycles - 1; }
  /// When the data of a hit that is looked up in cycle `now` are at the SM.
  Cycle hit_data_at(Cycle now) const { return now + 1 + data_cycles; }
  /// When the data of a reply that is filled in cycle `now` are at the SM.
  Cycle fill_data_at(Cycle now) const { return now + fill_cycles; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("tag_cycles", tag_cycles, Unit::cycles, "acceptance to hit or miss known; a miss is offered to the network then (CM-9)", 1,
              1000);
    b.integer("data_cycles", data_cycles, Unit::cycles, "hit known to data at the SM; hit latency = tag_cycles + data_cycles (CM-9)", 0,
              1000);
    b.integer("fill_cycles", fill_cycles, Unit::cycles, "last needed flit ejected to data at the SM (CM-9)", 1, 1000);
  }
};

}  // namespace wharf

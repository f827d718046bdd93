#pragma once
// When the outcome of an access to an L1-class cache is known, and when its data reach the SM: the keys of its latencies (CM-9).

#include <algorithm>
#include <cstdint>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

struct L1Timing {
  std::uint32_t tag_cycles = 4;
  std::uint32_t data_cycles = 24;
  std::uint32_t fill_cycles = 1;

  /// Cycles from the acceptance of an access to its data at the SM.
  std::uint32_t hit_latency() const { return tag_cycles + data_cycles; }
  /// Sets the hit latency. The lookup time stays, unless the new latency is shorter than it.
  void set_hit_latency(std::uint32_t cycles) { data_cycles = cycles - std::min(cycles, tag_cycles); }
  /// Cycles from the acceptance of an access to its lookup. The outcome is known at the end of the lookup's cycle.
  Cycle lookup_latency() const { return tag_cycles - 1; }
  /// When the data of a hit that is looked up in cycle `now` reach the SM.
  Cycle hit_data_at(Cycle now) const { return now + 1 + data_cycles; }
  /// When the data of a reply that is filled in cycle `now` reach the SM.
  Cycle fill_data_at(Cycle now) const { return now + fill_cycles; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("tag_cycles", tag_cycles, Unit::cycles, "from acceptance to hit or miss; a miss is then offered to the network (CM-9)", 1,
              1000);
    b.integer("data_cycles", data_cycles, Unit::cycles, "from hit to data at the SM; hit latency = tag_cycles + data_cycles (CM-9)", 0,
              1000);
    b.integer("fill_cycles", fill_cycles, Unit::cycles, "from ejection of the last needed flit to data at the SM (CM-9)", 1, 1000);
  }
};

}  // namespace wharf

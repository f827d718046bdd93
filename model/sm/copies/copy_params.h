#pragma once
// Parameters of an SM's copy engine (CL-8).

#include <cstdint>

#include "model/base/config/binder.h"

namespace wharf {

struct CopyParams {
  std::uint32_t start_cycles = 168;
  std::uint32_t in_flight = 64;
  std::uint32_t bytes_per_clock = 64;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("start_cycles", start_cycles, Unit::cycles, "by which the first line of a copy leaves the SM later than a load would", 1,
              10000);
    b.integer("in_flight", in_flight, Unit::count, "lines that are fetched or wait to be written", 1, 4096);
    b.integer("bytes_per_clock", bytes_per_clock, Unit::bytes,
              "requested per cycle; at most 64 leave the L1's port to loads half of the time", 1, 64);
  }
};

}  // namespace wharf

#pragma once
// Parameters of an SM's copy engine (CL-8).

#include <cstdint>

#include "model/base/config/binder.h"

namespace wharf {

/// Where the lines of a copy are multiplied for CTAs on other SMs (CL-9).
enum class MulticastAt {
  source,  // at the SM that copies, which sends them over the network between SMs
  gpc      // in the network of replies, at the link of the GPC
};

struct CopyParams {
  std::uint32_t start_cycles = 168;
  std::uint32_t in_flight = 64;
  std::uint32_t bytes_per_clock = 64;
  MulticastAt multicast_at = MulticastAt::source;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("start_cycles", start_cycles, Unit::cycles, "by which the first line of a copy leaves the SM later than a load would", 1,
              10000);
    b.integer("in_flight", in_flight, Unit::count, "lines that are fetched or wait to be written", 1, 4096);
    b.integer("bytes_per_clock", bytes_per_clock, Unit::bytes,
              "requested per cycle; at most 64 leave the L1's port to loads half of the time", 1, 64);
    b.choice(
        "multicast_at", multicast_at, {{"source", MulticastAt::source}, {"gpc", MulticastAt::gpc}},
        "where the lines that a copy reads of global memory are multiplied for CTAs on other SMs. source: the SM that copies sends each "
        "line to one CTA after the other over the network between SMs. gpc: the reply of L2 is copied behind the link of the GPC (MG-15)");
  }
};

}  // namespace wharf

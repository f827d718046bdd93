#pragma once
// Parameters of one crossbar (CM-15). The defaults are the 80 x 32 crossbar of the 80-SM machine, common section 5.

#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "policies/arbitration/catalogue.h"

namespace wharf::network {

inline constexpr unsigned kMaxVirtualChannels = 16;

struct CrossbarParams {
  std::uint32_t flit_bytes = 32;
  std::uint32_t virtual_channels = 4;
  std::uint32_t buffer_flits = 4;
  std::uint32_t ejection_flits = 16;
  std::uint32_t latency = 2;
  std::uint32_t iterations = 1;
  std::string arbitration = "islip";

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("flit_bytes", flit_bytes, Unit::bytes, "width of a link, one flit per port and network cycle", 8, 256);
    b.integer("virtual_channels", virtual_channels, Unit::count, "FIFOs at each input; a packet uses FIFO hash(line) mod this", 1,
              kMaxVirtualChannels);
    b.integer("buffer_flits", buffer_flits, Unit::flits, "depth of one virtual channel's FIFO", 1, 4096);
    b.integer("ejection_flits", ejection_flits, Unit::flits, "buffer of an output, in addition to the pipeline and one received packet", 1,
              4096);
    b.integer("latency", latency, Unit::cycles, "network cycles from injection to ejection of a one-flit packet, unloaded", 1, 1024);
    b.integer("iterations", iterations, Unit::count, "rounds of an iterative arbitration in one cycle", 1, 16);
    b.policy("arbitration", arbitration, arbitration::catalogue_names(), "which input sends to which output");
    b.require(iterations == 1 || arbitration::iterative(arbitration), "iterations", "has no effect on this arbitration",
              "remove it, or choose arbitration: islip");
  }
};

}  // namespace wharf::network

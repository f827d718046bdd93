#pragma once
// Parameters of networks of routers (CM-15). Defaults: common section 5, the 28-SM machine of shared_l1.

#include <cstdint>
#include <vector>

#include "model/base/config/binder.h"
#include "model/network/crossbar/crossbar_params.h"

namespace wharf::network {

/// The parameters that mesh, ring and butterfly share.
struct RouterParams {
  std::uint32_t flit_bytes = 32;
  std::uint32_t virtual_channels = 4;
  std::uint32_t buffer_flits = 4;
  std::uint32_t ejection_flits = 16;
  std::uint32_t hop_cycles = 2;
  std::uint32_t iterations = 1;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("flit_bytes", flit_bytes, Unit::bytes, "width of a link, one flit per port and network cycle", 8, 256);
    b.integer("virtual_channels", virtual_channels, Unit::count,
              "FIFOs at each input; a packet uses FIFO hash(line) mod those of its class (CM-16, SL-11)", 1, kMaxVirtualChannels);
    b.integer("buffer_flits", buffer_flits, Unit::flits, "depth of one virtual channel's FIFO", 1, 4096);
    b.integer("ejection_flits", ejection_flits, Unit::flits,
              "a packet leaves the network while fewer flits than this wait at its destination, per class of traffic", 1, 4096);
    b.integer("hop_cycles", hop_cycles, Unit::cycles, "network cycles of a router and the link behind it (RS-2)", 1, 64);
    b.integer("iterations", iterations, Unit::count, "rounds of a router's iSLIP in one cycle", 1, 16);
  }
};

struct MeshParams : RouterParams {
  std::uint32_t columns = 6;
  std::vector<std::uint32_t> slice_nodes;

  void bind(config::Binder& b) {
    RouterParams::bind(b);
    b.integer("columns", columns, config::Unit::count, "nodes per row; SMs and slices together fill the rows", 1, 128);
    b.integers("slice_nodes", slice_nodes, config::Unit::count,
               "nodes (columns * row + column) of the L2 slices, in order; none = the map of RS-1 for this size", 0, 255);
  }
};

struct RingParams : RouterParams {
  bool bidirectional = true;

  void bind(config::Binder& b) {
    RouterParams::bind(b);
    b.flag("bidirectional", bidirectional, "links in both directions; packets take the shorter way");
  }
};

/// The keys of the networks named ring and rings.
struct RingKeys {
  RingParams ring, request_ring;
};

struct ButterflyParams : RouterParams {
  std::uint32_t radix = 6, stages = 2;

  void bind(config::Binder& b) {
    RouterParams::bind(b);
    b.integer("radix", radix, config::Unit::count, "k of the k-ary n-fly: ports of a switch", 2, 16);
    b.integer("stages", stages, config::Unit::count, "n of the k-ary n-fly, of k^n nodes", 1, 8);
  }
};

}  // namespace wharf::network

#pragma once
// Which network, and what every network has (common.md section 5).

#include <cstdint>

#include "model/base/config/binder.h"
#include "model/network/crossbar_params.h"

namespace wharf {

struct NetworkParams {
  std::uint32_t interface_packets = 2;
  network::CrossbarParams crossbar;

  void bind(config::Binder& b) {
    b.integer("interface_packets", interface_packets, config::Unit::count, "packets that a network interface holds before the first buffer",
              1, 64);
    b.group("crossbar", crossbar, "the crossbar of each direction");
  }
};

}  // namespace wharf

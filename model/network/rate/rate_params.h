#pragma once
// Parameters of the rate-model network (CM-15). The defaults are the 68 x 40 network of the Ampere machine (morpheus section 2.4).

#include <cstdint>

#include "model/base/config/binder.h"
#include "model/network/ports.h"

namespace wharf::network {

struct RateParams {
  std::uint32_t latency = 77;
  std::uint32_t queue = 16;
  PortRate sm_egress{32, 1}, sm_ingress{64, 1}, slice{2500, 57};

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("latency", latency, Unit::cycles, "interface to interface, for an undelayed message of any size", 1, 1024);
    b.integer("queue", queue, Unit::count, "messages that wait at a port, per class of traffic, on each of its two sides", 1, 1024);
    b.group("sm_egress", sm_egress, "from an SM into the request network");
    b.group("sm_ingress", sm_ingress, "from the reply network into an SM");
    b.group("slice", slice, "each direction at an L2 slice: 75 GB/s at 1710 MHz");
  }
};

}  // namespace wharf::network

#pragma once
// The ends of a network, and the kinds of traffic that it keeps apart.

#include <array>
#include <cstdint>

#include "model/base/access.h"
#include "policies/address_map/address_map.h"

namespace wharf {

/// Endpoints first .. first + count - 1.
struct EndpointRange {
  unsigned first = 0, count = 0;
};

/// A kind of traffic, its senders and its receivers.
struct TrafficEnds {
  Traffic traffic;
  EndpointRange from, to;
};

/// Kinds of traffic that must not block each other. Each class has its own sockets, virtual channels and ejection buffers.
struct TrafficClasses {
  unsigned count = 1;
  std::array<std::uint8_t, kTraffics> of{};  // [traffic]
  /// If the outputs are L2 slices: a message for an SM leaves at the slice that owns its line (SL-30).
  const AddressMap* via = nullptr;
  /// Virtual output queues: the place of a packet selects its virtual channel, instead of a hash of its line (ATA-O19).
  bool output_queues = false;
};

}  // namespace wharf

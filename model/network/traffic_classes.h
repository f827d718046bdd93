#pragma once
// Which ends a network has, and which kinds of traffic it keeps apart.

#include <array>
#include <cstdint>

#include "model/base/access.h"
#include "policies/address_map/address_map.h"

namespace wharf {

/// Endpoints first .. first + count - 1.
struct EndpointRange {
  unsigned first = 0, count = 0;
};

/// Kinds of traffic that must not hold each other up: each class has sockets, virtual channels and ejection buffers of its own.
struct TrafficClasses {
  unsigned count = 1;
  std::array<std::uint8_t, kTraffics> of{};  // [traffic]
  /// Where the outputs are L2 slices: messages for an SM leave at the slice that owns their line (SL-30).
  const AddressMap* via = nullptr;
  /// Virtual output queues: a packet's virtual channel is its place instead of a hash of its line (ATA-O19).
  bool output_queues = false;
};

}  // namespace wharf

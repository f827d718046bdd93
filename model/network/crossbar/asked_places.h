#pragma once
// What the first packets of one input's virtual channels ask for: compared with a place all at once, in one register of the host.

#include <cstdint>

#include "model/base/host/equal_lanes.h"
#include "model/network/crossbar/crossbar_params.h"

namespace wharf::network {

class AskedPlaces {
 public:
  void set(unsigned vc, unsigned place) { place_[vc] = static_cast<std::uint8_t>(place); }
  unsigned of(unsigned vc) const { return place_[vc]; }
  /// The channels that stand for this place, one bit each, whether they ask or have asked.
  unsigned channels_for(unsigned place) const { return equal_bytes(place_, static_cast<std::uint8_t>(place)); }

 private:
  static_assert(kMaxVirtualChannels <= 16 && arbitration::kMaxPlaces <= 256);
  alignas(16) std::uint8_t place_[16] = {};
};

}  // namespace wharf::network

#pragma once
// The outputs that the first packets of one input's virtual channels request. A host register compares all of them with one output at once.

#include <cstdint>

#include "model/base/host/equal_lanes.h"
#include "model/network/crossbar/crossbar_params.h"

namespace wharf::network {

class RequestedPlaces {
 public:
  void set(unsigned vc, unsigned place) { place_[vc] = static_cast<std::uint8_t>(place); }
  unsigned of(unsigned vc) const { return place_[vc]; }
  /// Returns one bit per channel whose entry is this place, whether its packet still requests it or has done so before.
  unsigned channels_for(unsigned place) const { return equal_bytes(place_, static_cast<std::uint8_t>(place)); }

 private:
  static_assert(kMaxVirtualChannels <= 16 && arbitration::kMaxPlaces <= 256);
  alignas(16) std::uint8_t place_[16] = {};
};

}  // namespace wharf::network

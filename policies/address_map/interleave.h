#pragma once
// Interleaves 256-byte chunks over the channels and, within a channel, over its slices (CM-20).

#include <cstdint>

#include "policies/address_map/address_map.h"

namespace wharf {

class InterleaveMap final : public AddressMap {
 public:
  InterleaveMap(std::uint32_t channels, std::uint32_t slices_per_channel) : channels_(channels), slices_per_channel_(slices_per_channel) {}

  Target locate(Address address) const override {
    const std::uint64_t chunk = address >> 8, row = chunk / channels_;
    const auto channel = static_cast<std::uint32_t>(chunk % channels_);
    const auto sub = static_cast<std::uint32_t>(row % slices_per_channel_);
    return {channel, channel * slices_per_channel_ + sub, row / slices_per_channel_ * 2 + (address >> 7 & 1)};
  }

 private:
  std::uint32_t channels_, slices_per_channel_;
};

}  // namespace wharf

#pragma once
// Interleaves 256-byte chunks over the channels and, within a channel, over its slices (CM-20).

#include <cstdint>

#include "model/base/host/constant_divider.h"
#include "policies/address_map/address_map.h"

namespace wharf {

class InterleaveMap final : public AddressMap {
 public:
  InterleaveMap(std::uint32_t channels, std::uint32_t slices_per_channel) : channels_(channels), slices_per_channel_(slices_per_channel) {}

  Target locate(Address address) const override {
    const auto [row, channel] = channels_.divide(address >> 8);
    const auto [local_chunk, sub] = slices_per_channel_.divide(row);
    return {static_cast<std::uint32_t>(channel), static_cast<std::uint32_t>(channel * slices_per_channel_.divisor() + sub),
            local_chunk * 2 + (address >> 7 & 1)};
  }

 private:
  ConstantDivider channels_, slices_per_channel_;
};

}  // namespace wharf

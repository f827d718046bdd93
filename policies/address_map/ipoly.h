#pragma once
// Selects slices by a polynomial hash of the address above the 256-byte chunk (CM-38), so that no power-of-two stride is confined to a few
// slices. The number of slices is a power of two.

#include <cstdint>

#include "policies/address_map/address_map.h"
#include "policies/polynomial_hash.h"

namespace wharf {

class IpolyMap final : public AddressMap {
 public:
  /// Both counts must be powers of two, with a product of at most 2^PolynomialHash::kMaxBits.
  IpolyMap(std::uint32_t channels, std::uint32_t slices_per_channel);

  Target locate(Address address) const override {
    // In the address, the channel field lies below the slice field; in the slice number, the channel is the upper part.
    const std::uint64_t chunk = address >> 8;
    const std::uint64_t high = chunk >> slice_bits_;
    const auto channel_field = static_cast<std::uint32_t>(chunk) & channel_mask_;
    const auto sub_field = static_cast<std::uint32_t>(chunk >> channel_bits_) & sub_mask_;
    const std::uint32_t slice = (channel_field << sub_bits_ | sub_field) ^ hash_(high);
    return {slice >> sub_bits_, slice, high << 1 | (address >> 7 & 1)};
  }

 private:
  unsigned channel_bits_, sub_bits_, slice_bits_;
  std::uint32_t channel_mask_, sub_mask_;
  PolynomialHash hash_;
};

}  // namespace wharf

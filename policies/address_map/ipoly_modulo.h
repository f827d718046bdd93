#pragma once
// Selects slices by a polynomial hash and a rotating modulo of the 256-byte chunk (MG-10), for slice counts that are not powers of two: the
// 80 slices of A100 and H100 are 16 x 5, the 96 of H200 are 32 x 3.

#include <cstdint>

#include "policies/address_map/address_map.h"
#include "policies/polynomial_hash.h"

namespace wharf {

/// With S = 2^p m slices, m odd: the low p bits of the chunk number, XORed with a hash of what is above them, select one of 2^p groups of m
/// slices; what is above, modulo m and rotated by one slice per round of S chunks, selects the slice of the group.
class IpolyModuloMap final : public AddressMap {
 public:
  /// Any counts of at least 1 whose product has at most PolynomialHash::kMaxBits factors of 2.
  IpolyModuloMap(std::uint32_t channels, std::uint32_t slices_per_channel);

  Target locate(Address address) const override {
    const std::uint64_t chunk = address >> 8, above = chunk >> group_bits_, round = above / group_;
    const auto group = (static_cast<std::uint32_t>(chunk) & group_mask_) ^ hash_(above);
    const auto member = static_cast<std::uint32_t>((above + round) % group_);
    const std::uint32_t slice = group * group_ + member;
    return {slice / slices_per_channel_, slice, round << 1 | (address >> 7 & 1)};
  }

 private:
  std::uint32_t slices_per_channel_;
  unsigned group_bits_;       // p
  std::uint32_t group_mask_;  // 2^p - 1
  std::uint32_t group_;       // m, slices of a group
  PolynomialHash hash_;
};

}  // namespace wharf

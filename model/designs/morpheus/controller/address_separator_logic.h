#pragma once
// Decides between conventional and extended LLC, and selects the set in the extended LLC (morpheus section 4.2). It applies a bijective mix
// to the block's number in its partition, then splits the range in proportion to the capacities. Because each set has its own share, this
// function also splits a cache-mode SM among its memories.

#include <cstdint>
#include <vector>

#include "model/designs/morpheus/ellc_geometry.h"

namespace wharf {

class AddressSeparator {
 public:
  /// Number of mixed bits, enough for 1 GiB per partition. Higher bits enter the mix as a constant, so that every region of 1 GiB is split
  /// alike.
  static constexpr unsigned kBits = 23;

  struct Home {
    bool extended = false;
    std::uint32_t row = 0, tag = 0;  // of the extended LLC: the set, and a tag that is unique in it
  };

  /// `conventional_blocks` >= 1 is the capacity of the partition's banks.
  AddressSeparator(const std::vector<EllcSet>& rows, std::uint32_t conventional_blocks);

  static constexpr std::uint32_t mix(std::uint32_t x) {
    constexpr std::uint32_t kMask = (1u << kBits) - 1;
    x ^= x >> 11;
    x = x * 0x2C1B3Du & kMask;
    x ^= x >> 9;
    x = x * 0x073593u & kMask;
    return x ^ x >> 12;
  }

  /// `local` is the number of the block in the partition.
  Home of(std::uint64_t local) const {
    const std::uint64_t above = local >> kBits;
    const std::uint32_t h = mix((static_cast<std::uint32_t>(local) ^ static_cast<std::uint32_t>(above * 0x2545F5u)) & ((1u << kBits) - 1));
    const std::uint64_t u = (std::uint64_t{h} * (conventional_ + row_of_.size())) >> kBits;
    if (u < conventional_) return {};
    const std::uint32_t row = row_of_[u - conventional_];
    return {true, row, (h - first_[row]) ^ static_cast<std::uint32_t>(above << 17)};
  }

  /// The extended LLC's share of all blocks.
  double extended_share() const { return static_cast<double>(row_of_.size()) / static_cast<double>(conventional_ + row_of_.size()); }

 private:
  std::uint64_t conventional_;
  std::vector<std::uint8_t> row_of_;  // [block of the extended LLC]
  std::vector<std::uint32_t> first_;  // [row]: the smallest mixed number that maps to the row
};

}  // namespace wharf

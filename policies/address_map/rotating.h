#pragma once
// Distributes 256-byte chunks over partitions in an order that rotates from round to round, and a partition's lines over its banks by a
// hash (morpheus sections 4.1 and 4.2). Partition counts that are no power of two stay balanced, and no stride is confined to one bank.
//
// A partition is one or several memory channels with their slices, which are its banks. A block that serves a whole partition, such as a
// Morpheus controller, uses block() to number its lines: (partition, block) and the line are in one-to-one correspondence.

#include <cstdint>

#include "policies/address_map/address_map.h"

namespace wharf {

class RotatingMap final : public AddressMap {
 public:
  /// The number of a line within its partition.
  struct Block {
    std::uint32_t partition = 0;
    std::uint64_t local = 0;
  };

  /// `channels` channels of `slices_per_channel` slices, in partitions of `channels_per_partition` channels. Throws InputError where
  /// partitions are incomplete, or the banks of a partition are not a power of two.
  RotatingMap(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t channels_per_partition);

  Block block(Address address) const {
    const std::uint64_t chunk = address >> 8, round = chunk / partitions_;
    const std::uint64_t partition = (chunk % partitions_ + folded(round)) % partitions_;
    return {static_cast<std::uint32_t>(partition), round << 1 | (address >> 7 & 1)};
  }

  Target locate(Address address) const override {
    const Block at = block(address);
    const auto bank = static_cast<std::uint32_t>(at.local ^ at.local >> 8 ^ at.local >> 16) & bank_mask_;
    const std::uint32_t slice = at.partition << bank_bits_ | bank;
    return {slice >> sub_bits_, slice, at.local >> bank_bits_};
  }

 private:
  /// The exclusive or of all nibbles.
  static std::uint64_t folded(std::uint64_t word) {
    word ^= word >> 32;
    word ^= word >> 16;
    word ^= word >> 8;
    return (word ^ word >> 4) & 15;
  }

  std::uint32_t partitions_;
  unsigned bank_bits_, sub_bits_;  // log2 of the banks per partition, and of the slices per channel
  std::uint32_t bank_mask_;
};

}  // namespace wharf

#pragma once
// Distributes chunks of addresses over the two partitions of an L2, and the lines of a partition over its slices by another map (MG-10).

#include <cstdint>
#include <memory>
#include <utility>

#include "policies/address_map/address_map.h"

namespace wharf {

/// The partition of a chunk is the parity of all bits of its number. The remaining bits number the chunks of a partition, so (partition,
/// address in it) and the address are in one-to-one correspondence.
class PartitionedMap final : public AddressMap {
 public:
  /// `half` maps the addresses of one partition to its `channels` channels of `slices_per_channel` slices. A chunk has 2^chunk_bits bytes.
  PartitionedMap(std::unique_ptr<AddressMap> half, std::uint32_t channels, std::uint32_t slices_per_channel, unsigned chunk_bits)
      : half_(std::move(half)), channels_(channels), slices_(channels * slices_per_channel), chunk_bits_(chunk_bits) {}

  Target locate(Address address) const override {
    const std::uint64_t chunk = address >> chunk_bits_;
    const auto partition = static_cast<std::uint32_t>(__builtin_parityll(chunk));
    const Address within = address & ((Address{1} << chunk_bits_) - 1);
    Target target = half_->locate((chunk >> 1) << chunk_bits_ | within);
    target.channel += partition * channels_;
    target.slice += partition * slices_;
    return target;
  }

 private:
  std::unique_ptr<AddressMap> half_;
  std::uint32_t channels_, slices_;
  unsigned chunk_bits_;
};

}  // namespace wharf

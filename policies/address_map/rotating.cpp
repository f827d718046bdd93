#include "policies/address_map/rotating.h"

#include <string>

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {
namespace {

std::uint32_t whole_partitions(std::uint32_t channels, std::uint32_t channels_per_partition) {
  if (channels_per_partition == 0 || channels % channels_per_partition != 0)
    throw InputError("address map rotating has " + std::to_string(channels) + " channels in partitions of " +
                     std::to_string(channels_per_partition) + "; choose channels_per_partition so that it divides the channels");
  return channels / channels_per_partition;
}

}  // namespace

RotatingMap::RotatingMap(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t channels_per_partition)
    : partitions_(whole_partitions(channels, channels_per_partition)), bank_mask_(slices_per_channel * channels_per_partition - 1) {
  if (!is_power_of_two(slices_per_channel) || !is_power_of_two(channels_per_partition))
    throw InputError("address map rotating needs powers of two, not " + std::to_string(channels_per_partition) +
                     " channels a partition of " + std::to_string(slices_per_channel) +
                     " slices; choose such counts or the map interleave");
  sub_bits_ = floor_log2(slices_per_channel);
  bank_bits_ = sub_bits_ + floor_log2(channels_per_partition);
}

}  // namespace wharf

#include "policies/address_map/ipoly.h"

#include "model/base/bits.h"

namespace wharf {

IpolyMap::IpolyMap(std::uint32_t channels, std::uint32_t slices_per_channel)
    : channel_bits_(floor_log2(channels)),
      sub_bits_(floor_log2(slices_per_channel)),
      slice_bits_(channel_bits_ + sub_bits_),
      channel_mask_(channels - 1),
      sub_mask_(slices_per_channel - 1),
      hash_(slice_bits_) {}

}  // namespace wharf

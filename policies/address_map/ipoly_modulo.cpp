#include "policies/address_map/ipoly_modulo.h"

#include "model/base/bits.h"

namespace wharf {

IpolyModuloMap::IpolyModuloMap(std::uint32_t channels, std::uint32_t slices_per_channel)
    : slices_per_channel_(slices_per_channel),
      group_bits_(lowest_bit(std::uint64_t{channels} * slices_per_channel)),
      group_mask_((1u << group_bits_) - 1),
      group_(channels * slices_per_channel >> group_bits_),
      hash_(group_bits_) {}

}  // namespace wharf

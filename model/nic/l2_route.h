#pragma once
// Where an SM sends its requests for L2: to the slice that is the home of the line. Of an L2 in two partitions, it sends them to the slice
// of that number in the half that the SM is near (modern_gpus section 2).

#include <cstdint>

#include "policies/address_map/address_map.h"

namespace wharf {

class L2Route {
 public:
  /// The slices that the SM reaches are the endpoints `first` and up: all `slices`, or those of the near half.
  L2Route(const AddressMap& addresses, unsigned first, unsigned slices) : addresses_(&addresses), first_(first), slices_(slices) {}

  std::uint16_t endpoint_of(LineAddress line) const {
    return static_cast<std::uint16_t>(first_ + addresses_->locate(line.byte_address()).slice % slices_);
  }

 private:
  const AddressMap* addresses_;
  unsigned first_, slices_;
};

}  // namespace wharf

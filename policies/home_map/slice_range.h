#pragma once
// Home = the group of L2 slices that owns the line (DC-4): home m has the lines of slices m * O .. m * O + O - 1, so it needs no connection
// to the others. It numbers its lines densely, taking its slices in turn, so that no home bit is a constant set bit (DC-6).

#include "policies/home_map/home_map.h"

namespace wharf {

class SliceRange final : public HomeMap {
 public:
  /// `addresses` must outlive the map; `slices` must be a multiple of `homes`.
  SliceRange(const AddressMap& addresses, std::uint32_t homes, std::uint32_t slices)
      : addresses_(addresses), only_(homes == 1), slices_of_home_(slices / homes) {}

  Home locate(LineAddress line) const override {
    if (only_) return {0, line.number};
    const AddressMap::Target target = addresses_.locate(line.byte_address());
    return {target.slice / slices_of_home_, target.local_line * slices_of_home_ + target.slice % slices_of_home_};
  }

 private:
  const AddressMap& addresses_;
  bool only_;
  std::uint32_t slices_of_home_;
};

}  // namespace wharf

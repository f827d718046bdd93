#pragma once
// Static wavefront limiting (CIAO section 3.2, Best-SWL with a given N): the N oldest warps of the SM that are neither finished nor
// waiting at a barrier or fence may issue. Waiting warps do not count, or a barrier of more than N warps would never be passed.
//
// CIAO-O5: N is per SM and split evenly over the schedulers, the first ones getting the remainder; where N is smaller than the
// number of schedulers, the places go to the schedulers that own the oldest eligible warps.

#include <vector>

#include "policies/warp_filter/warp_filter.h"

namespace wharf {

class StaticWarpLimit final : public WarpFilter {
 public:
  /// Both >= 1.
  StaticWarpLimit(std::uint32_t limit, std::uint32_t schedulers);
  void observe(WarpEvent event) override;

 private:
  void choose();
  WarpMask pool_of_few_places() const;

  std::uint32_t limit_;
  std::vector<WarpMask> own_;  // warps of each scheduler
  AgeOrder order_;
  WarpMask waiting_ = 0;
};

}  // namespace wharf

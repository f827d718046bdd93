#pragma once
// The oldest warps of an SM that are neither finished nor waiting at a barrier or fence (ciao section 3.2). Waiting warps do not count;
// otherwise a barrier of more warps than the pool has places would never be passed.
//
// CIAO-O5: the number is per SM and split evenly over the schedulers, the first ones getting the remainder. Where it is smaller than the
// number of schedulers, the places go to the schedulers that own the oldest eligible warps.

#include <vector>

#include "policies/warp_filter/warp_filter.h"

namespace wharf {

class OldestPool {
 public:
  /// `schedulers` >= 1.
  explicit OldestPool(std::uint32_t schedulers);
  void observe(const WarpEvent& event);
  /// The pool for this number of places. A larger pool contains every smaller one.
  WarpMask of(std::uint32_t places) const;
  WarpMask resident() const { return order_.resident(); }
  template <class File>
  void archive(File& file) {
    file.elements(own_);
    file(order_, waiting_);
  }

 private:
  WarpMask of_few(std::uint32_t places) const;

  std::vector<WarpMask> own_;  // warps of each scheduler
  AgeOrder order_;
  WarpMask waiting_ = 0;
};

}  // namespace wharf

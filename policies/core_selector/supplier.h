#pragma once
// Supplier-based selection (remote_sharing section 6.2): SMs that have supplied data are more likely to be searched, and searched first.
// Counts of replies in a period give the weights of the next one (RS-18): w_j = 2 c_j, or the lowest nonzero count if c_j is 0, which is
// "half the lowest non-zero probability" without a division (RS-19). SMs are drawn one after the other without replacement (RS-20).

#include <array>
#include <cstdint>

#include "model/base/rng.h"
#include "policies/core_selector/core_selector.h"

namespace wharf {

class SupplierSelector final : public CoreSelector {
 public:
  SupplierSelector(unsigned cores, unsigned self, const SupplierParams& params, Rng random);

  void select(unsigned count, const HolderMask& holders, Cycle now, CoreList& out) override;
  void replied(unsigned core, Cycle now) override;
  bool archive(Archive& file) override;
  /// The weight of `core` in the period of `now`.
  std::uint64_t weight(unsigned core, Cycle now);

 private:
  void advance(Cycle now);
  void weigh();

  unsigned cores_, self_;
  const SupplierParams params_;
  Rng random_;
  std::uint64_t period_ = 0;
  std::array<std::uint32_t, CoreList::kMost + 1> counts_{}, weights_{};
};

}  // namespace wharf

#pragma once
// First ready, first come first served: the oldest request to the open row, else the oldest request of the bank.

#include <cstdint>

#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {

class FrFcfs final : public DramScheduler {
 public:
  /// A request that `age_cap` later arrivals have had a chance to overtake goes before row hits; kUnlimited: never.
  explicit FrFcfs(std::uint32_t age_cap) : age_cap_(age_cap) {}
  unsigned choose(const DramBankView& view) const override;

 private:
  std::uint32_t age_cap_;
};

}  // namespace wharf

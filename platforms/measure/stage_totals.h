#pragma once
// Counters of the round trips of all loads by stage. They give each kernel and window its own totals (run --explain).

#include <memory>
#include <vector>

#include "model/base/host/fixed_array.h"
#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

class StageTotals {
 public:
  /// `sms` must live as long as this. `stages`: those of a load in this machine (stages_of).
  StageTotals(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, unsigned stages);
  /// Brings the counters up to date with the loads that have been answered.
  void catch_up();

 private:
  const std::vector<std::unique_ptr<Sm>>& sms_;
  stats::Group group_;
  FixedArray<stats::Counter> cycles_;  // [stage]
};

}  // namespace wharf

#pragma once
// Samples how many lines of L2 are copies of the other half's (modern_gpus section 2).

#include <memory>

#include "model/base/stats/stats.h"
#include "platforms/measure/time_curve.h"

namespace wharf {

class L2CopySamples {
 public:
  /// Registers `l2.copies` and what it is computed from.
  explicit L2CopySamples(stats::Registry& registry);
  /// Called once the machine is built.
  void attach() { copies_ = std::make_unique<CounterTotals>(registry_, kInAndOut); }
  void sample();

 private:
  static const std::vector<std::string> kInAndOut;  // copies that come, and then those that go

  stats::Registry& registry_;
  stats::Group group_;
  stats::Counter sampled_, samples_;
  std::unique_ptr<CounterTotals> copies_;
};

}  // namespace wharf

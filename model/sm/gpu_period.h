#pragma once
// The prediction period that all SMs share (loscache section 5.1, period_scope: gpu): it ends with the accesses of all predictors together,
// and SMs see what others have added a cycle later (CM-2).

#include <functional>

#include "model/sm/prediction_unit.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/sideband.h"

namespace wharf {

class GpuPeriod final : public Committed, public SidebandListener {
 public:
  /// `ended`: wakes the SMs.
  GpuPeriod(std::uint32_t accesses, std::function<void()> ended) : period(accesses), ended_(std::move(ended)) {}

  void commit() override {
    if (period.commit()) ended_();
  }
  /// kernel_end.
  void write(const Event&) override { period.kernel_ended(); }

  PredictionPeriod period;

 private:
  std::function<void()> ended_;
};

}  // namespace wharf

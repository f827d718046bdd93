#pragma once
// The prediction period that all SMs share (loscache section 5.1, period_scope: gpu). It ends after a number of accesses summed over all
// predictor CTAs; an SM sees the accesses of the others one cycle later (CM-2).

#include <functional>

#include "model/sm/prediction/prediction_unit.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/sideband.h"

namespace wharf {

class GpuPeriod final : public Committed, public SidebandListener {
 public:
  /// `ended` wakes the SMs when the period ends.
  GpuPeriod(std::uint32_t accesses, std::function<void()> ended) : period(accesses), ended_(std::move(ended)) {}

  void commit() override {
    if (period.commit()) ended_();
  }
  /// Receives kernel_end.
  void write(const Event&) override { period.kernel_ended(); }

  PredictionPeriod period;

 private:
  std::function<void()> ended_;
};

}  // namespace wharf

#pragma once
// The states of warps and the interference between them over a run (ciao section 8): the table `warps_over_time` of result.json.
//
// A row is a window of thread instructions (CIAO-O31). A run too short for many windows has narrower ones, so each row gives its start.
// Interference is per million thread instructions, whatever the width of the window.

#include <memory>

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/measure/time_curve.h"

namespace wharf {

class WarpsOverTime {
 public:
  /// Declares the table if the machine tracks interference. Construct this object after all counters of the machine are registered.
  WarpsOverTime(const GpuParams& params, stats::Registry& registry);

  /// `instructions`: the thread instructions of the run so far, at core cycle `now`. Bring counters of time up to the present before
  /// calling begin(), sample() and end().
  void begin(std::uint64_t instructions, Cycle now) { curve_.begin(instructions, totals(now)); }
  /// True if sample() would keep its totals.
  bool due(std::uint64_t instructions) const { return counted_ != nullptr && curve_.due(instructions); }
  void sample(std::uint64_t instructions, Cycle now) { curve_.sample(instructions, totals(now)); }
  /// Excludes what is counted between begin_rest() and end_rest().
  void begin_rest(Cycle now) { rest_ = totals(now); }
  void end_rest(Cycle now);
  void end(std::uint64_t instructions, Cycle now) { curve_.end(instructions, totals(now)); }

  stats::TableRows rows() const;
  template <class File>
  void archive(File& file) {
    file(curve_, left_out_);
  }

 private:
  TimeCurve::Totals totals(Cycle now) const;

  const double sms_;
  std::unique_ptr<CounterTotals> counted_;  // null if there is no table
  TimeCurve curve_;
  TimeCurve::Totals rest_, left_out_;  // totals at begin_rest(); counts in all rests
};

}  // namespace wharf

#pragma once
// The states of warps, and the interference between them, over the course of a run (ciao section 8): the table `warps_over_time` of
// result.json.
//
// A row is a window of thread instructions (CIAO-O31). A run too short for many windows has narrower ones: each row gives its start, and
// interference is per million thread instructions for any window.

#include <memory>

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/measure/time_curve.h"

namespace wharf {

class WarpsOverTime {
 public:
  /// Declares the table where the machine tracks interference. Construct it after all counters of the machine have registered.
  WarpsOverTime(const GpuParams& params, stats::Registry& registry);

  /// `instructions` are the thread instructions of the run so far, at core cycle `now`. Before begin(), sample() and end(), counters of
  /// time must be brought up to the present.
  void begin(std::uint64_t instructions, Cycle now) { curve_.begin(instructions, totals(now)); }
  /// True where sample() would keep its totals.
  bool due(std::uint64_t instructions) const { return counted_ != nullptr && curve_.due(instructions); }
  void sample(std::uint64_t instructions, Cycle now) { curve_.sample(instructions, totals(now)); }
  /// Nothing between the two counts.
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
  std::unique_ptr<CounterTotals> counted_;  // null where there is no table
  TimeCurve curve_;
  TimeCurve::Totals rest_, left_out_;  // since begin_rest(), and in all rests
};

}  // namespace wharf

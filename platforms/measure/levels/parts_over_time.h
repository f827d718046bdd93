#pragma once
// Utilisation of each L2 slice and each DRAM channel over a run. It shows whether, and when, the work is unevenly distributed.

#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/measure/time_curve.h"

namespace wharf {

class PartsOverTime {
 public:
  /// Fewer intervals than a curve has, because each holds a figure for every slice and channel.
  static constexpr std::size_t kIntervals = 64;

  /// `registry` holds the counters of all slices and channels. `step`: initial distance of samples, in core cycles.
  PartsOverTime(const stats::Registry& registry, const GpuParams& params, Cycle step);

  void begin(Cycle now) { curve_.begin(now, totals()); }
  bool due(Cycle now) const { return curve_.due(now); }
  /// Counters of time must have been brought up to the present.
  void sample(Cycle now) { curve_.sample(now, totals()); }
  void pause(Cycle now) { curve_.pause(now, totals()); }
  void end(Cycle now) { curve_.end(now, totals()); }

  /// Returns the table `parts_over_time`: one row per interval.
  stats::TableRows rows() const;
  template <class File>
  void archive(File& file) {
    file(curve_);
  }

 private:
  struct Part {
    std::string name;            // column name
    const stats::Counter* busy;  // cycles in use
    double cycles_a_core_cycle;
  };
  TimeCurve::Totals totals() const;

  std::vector<Part> parts_;
  TimeCurve curve_;
};

}  // namespace wharf

#pragma once
// How busy each L2 slice and each DRAM channel is over the course of a run: whether the work is spread, and when it is not.

#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/measure/time_curve.h"

namespace wharf {

class PartsOverTime {
 public:
  /// Fewer intervals than of a curve: each has a figure for every slice and channel.
  static constexpr std::size_t kIntervals = 64;

  /// `registry` has the counters of all slices and channels. `step`: core cycles between samples, at first.
  PartsOverTime(const stats::Registry& registry, const GpuParams& params, Cycle step);

  void begin(Cycle now) { curve_.begin(now, totals()); }
  bool due(Cycle now) const { return curve_.due(now); }
  /// Counters of time must be up to the present.
  void sample(Cycle now) { curve_.sample(now, totals()); }
  void pause(Cycle now) { curve_.pause(now, totals()); }
  void end(Cycle now) { curve_.end(now, totals()); }

  /// The table `parts_over_time`: a row an interval.
  stats::TableRows rows() const;
  template <class File>
  void archive(File& file) {
    file(curve_);
  }

 private:
  struct Part {
    std::string name;            // of its column
    const stats::Counter* busy;  // cycles in use
    double cycles_a_core_cycle;
  };
  TimeCurve::Totals totals() const;

  std::vector<Part> parts_;
  TimeCurve curve_;
};

}  // namespace wharf

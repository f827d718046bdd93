#pragma once
// Totals of counters over a run, the source of the tables `bandwidth`, `energy_over_time` and `warps_over_time`.
//
// The caller chooses the axis: core cycles or instructions. Totals are sampled at multiples of a step. If there are too many samples, every
// second one is dropped and the step doubles. So a run of any length yields between half of the maximum number of intervals and the
// maximum.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/types.h"

namespace wharf {

class TimeCurve {
 public:
  static constexpr std::size_t kIntervals = 256;
  using Totals = std::vector<std::uint64_t>;

  /// `step` is the initial distance of samples on the axis.
  explicit TimeCurve(std::uint64_t step, std::size_t most = kIntervals) : step_(step), most_(most) {}

  /// Starts the run. All totals have the same length.
  void begin(std::uint64_t now, Totals totals) { samples_ = {{now, std::move(totals), false}}; }
  /// True if sample() would keep totals at `now`. Otherwise they need not be computed.
  bool due(std::uint64_t now) const { return !samples_.empty() && samples_.back().at / step_ < now / step_; }
  void sample(std::uint64_t now, Totals totals);
  /// The time from `now` to the next sample belongs to no interval.
  void pause(std::uint64_t now, Totals totals) { samples_.push_back({now, std::move(totals), true}); }
  /// Sets the end of the run as known so far.
  void end(std::uint64_t now, Totals totals) { end_ = {now, std::move(totals), false}; }

  struct Interval {
    std::uint64_t begin, end;
    Totals totals;  // counts within the interval
  };
  std::vector<Interval> intervals() const;
  template <class File>
  void archive(File& file) {
    file(step_, samples_, end_);
  }

 private:
  struct Sample {
    std::uint64_t at = 0;
    Totals totals;
    bool pauses = false;  // until the next sample
    template <class File>
    void archive(File& file) {
      file(at, totals, pauses);
    }
  };
  std::uint64_t step_;
  std::size_t most_;
  std::vector<Sample> samples_;
  Sample end_;
};

/// Reads the totals of some counters, each summed over its instances; 0 for a name without a counter.
class CounterTotals {
 public:
  CounterTotals(const stats::Registry& registry, std::vector<std::string> names);

  TimeCurve::Totals now() const;
  /// Returns the total of `name`, one of the constructor's names. `totals` is a result of now() or a difference of two results.
  std::uint64_t of(std::string_view name, const TimeCurve::Totals& totals) const;
  std::function<double(const std::string&)> reader(const TimeCurve::Totals& totals) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<const stats::Counter*>> counters_;  // [name]
};

}  // namespace wharf

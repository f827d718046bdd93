#pragma once
// Totals of counters over the course of a run, of which the tables `bandwidth`, `energy_over_time` and `warps_over_time` are made.
//
// Its axis is what the caller says: core cycles, or instructions. Totals are noted where a step of it is full. When there are too many,
// every second one is forgotten and the step doubles, so that a run of any length yields between half of kIntervals and kIntervals of them.

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

  /// `step`: of the axis between samples, at first.
  explicit TimeCurve(std::uint64_t step) : step_(step) {}

  /// Where the run begins. All totals have one length.
  void begin(std::uint64_t now, Totals totals) { samples_ = {{now, std::move(totals)}}; }
  /// Whether sample() would keep what it is told at `now`; only then need the totals be added up.
  bool due(std::uint64_t now) const { return !samples_.empty() && samples_.back().at / step_ < now / step_; }
  void sample(std::uint64_t now, Totals totals);
  /// Where the run ends, as far as is known.
  void end(std::uint64_t now, Totals totals) { end_ = {now, std::move(totals)}; }

  struct Interval {
    std::uint64_t begin, end;
    Totals totals;  // of what was counted in it
  };
  std::vector<Interval> intervals() const;

 private:
  struct Sample {
    std::uint64_t at = 0;
    Totals totals;
  };
  std::uint64_t step_;
  std::vector<Sample> samples_;
  Sample end_;
};

/// Reads totals of some counters, each summed over its instances; 0 where there is none of the name.
class CounterTotals {
 public:
  CounterTotals(const stats::Registry& registry, std::vector<std::string> names);

  TimeCurve::Totals now() const;
  /// The total of `name`, one of the names, in what now() gave or a difference of two such.
  std::uint64_t of(std::string_view name, const TimeCurve::Totals& totals) const;
  std::function<double(const std::string&)> reader(const TimeCurve::Totals& totals) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<const stats::Counter*>> counters_;  // of each name
};

}  // namespace wharf

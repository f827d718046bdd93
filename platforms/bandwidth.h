#pragma once
// Bytes that the L1 caches, the L2 slices and the DRAM channels have answered loads with, over the time of a run: the table `bandwidth`.
//
// Totals are noted at the multiples of a number of cycles. When there are too many, every second one is forgotten and that number doubles,
// so that a run of any length yields between half of kIntervals and kIntervals of them.

#include <cstdint>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/types.h"

namespace wharf {

class BandwidthCurve {
 public:
  static constexpr std::size_t kIntervals = 256;
  /// Totals so far.
  struct Bytes {
    std::uint64_t l1 = 0, l2 = 0, dram = 0;
  };

  /// `step`: core cycles between samples, at first.
  explicit BandwidthCurve(Cycle step) : step_(step) {}

  /// Where the run begins.
  void begin(Cycle now, const Bytes& bytes) { samples_ = {{now, bytes}}; }
  /// Whether sample() would keep what it is told at `now`; only then need the bytes be added up.
  bool due(Cycle now) const { return !samples_.empty() && samples_.back().cycle < now && now % step_ == 0; }
  void sample(Cycle now, const Bytes& bytes);
  /// Where the run ends, as far as is known.
  void end(Cycle now, const Bytes& bytes) { end_ = {now, bytes}; }

  /// An interval a row: the core cycle in which it begins, bytes per core cycle.
  stats::TableRows rows() const;

 private:
  struct Sample {
    Cycle cycle = 0;
    Bytes bytes;
  };
  Cycle step_;
  std::vector<Sample> samples_;
  Sample end_;
};

}  // namespace wharf

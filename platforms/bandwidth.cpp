#include "platforms/bandwidth.h"

#include <algorithm>

namespace wharf {

void BandwidthCurve::sample(Cycle now, const Bytes& bytes) {
  samples_.push_back({now, bytes});
  if (samples_.size() <= kIntervals) return;
  step_ *= 2;
  samples_.erase(std::remove_if(samples_.begin() + 1, samples_.end(), [this](const Sample& s) { return s.cycle % step_ != 0; }),
                 samples_.end());
}

stats::TableRows BandwidthCurve::rows() const {
  stats::TableRows table{{"cycle", "l1", "l2", "dram"}, {}};
  const auto add = [&table](const Sample& from, const Sample& to) {
    const auto rate = [&](std::uint64_t Bytes::*part) {
      return static_cast<double>(to.bytes.*part - from.bytes.*part) / static_cast<double>(to.cycle - from.cycle);
    };
    table.rows.push_back({from.cycle, rate(&Bytes::l1), rate(&Bytes::l2), rate(&Bytes::dram)});
  };
  for (std::size_t i = 0; i < samples_.size() && samples_[i].cycle < end_.cycle; ++i)
    add(samples_[i], i + 1 < samples_.size() && samples_[i + 1].cycle < end_.cycle ? samples_[i + 1] : end_);
  return table;
}

}  // namespace wharf

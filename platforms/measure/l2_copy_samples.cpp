#include "platforms/measure/l2_copy_samples.h"

namespace wharf {

const std::vector<std::string> L2CopySamples::kInAndOut = {"l2.copy.installs", "l2.copy.evictions", "l2.copy.invalidated",
                                                           "l2.copy.expired"};

L2CopySamples::L2CopySamples(stats::Registry& registry)
    : registry_(registry),
      group_(registry, "l2_copies"),
      sampled_(group_, "sampled", "copies of the other half's lines in L2, summed over samples", stats::Unit::count),
      samples_(group_, "samples", "samples taken, one every 10,000 core cycles", stats::Unit::count) {
  registry.derived("l2.copies", "copies of the other half's lines in L2, mean of the samples", stats::Unit::count,
                   [](const stats::View& v) { return v.ratio("l2_copies.sampled", "l2_copies.samples"); });
}

void L2CopySamples::sample() {
  const TimeCurve::Totals totals = copies_->now();
  std::uint64_t copies = copies_->of(kInAndOut.front(), totals);
  for (std::size_t i = 1; i < kInAndOut.size(); ++i) copies -= copies_->of(kInAndOut[i], totals);
  sampled_ += copies;
  ++samples_;
}

}  // namespace wharf

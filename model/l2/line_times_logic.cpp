#include "model/l2/line_times.h"

namespace wharf {

LineTimes::LineTimes(stats::Group& g, std::uint32_t slots, std::uint32_t lines, bool gates, LineTimesKept kept)
    : lines_(lines),
      last_(slots, kNever),
      line_cycles_(g, "line_cycles", "lines, summed over cycles of L2", stats::Unit::cycles),
      live_(g, "live_line_cycles", "live lines, from fill to last access, summed over cycles of L2: the lines that Ideal-Gating powers",
            stats::Unit::cycles),
      used_cycles_(g, "used_line_cycles", "lines since their first use, summed over cycles of L2", stats::Unit::cycles),
      ideal_(!gates && kept == LineTimesKept::ideal) {
  if (gates || ideal_) powered_ = std::make_unique<Powered>(g, ideal_);
  g.law("live_line_cycles <= used_line_cycles <= line_cycles",
        [this] { return live_.value() <= used_cycles_.value() && used_cycles_.value() <= line_cycles_.value(); });
  if (powered_ != nullptr)
    g.law("live_line_cycles <= data_on_cycles <= tag_on_cycles",
          [this] { return live_.value() <= powered_->data_on.value() && powered_->data_on.value() <= powered_->tag_on.value(); });
}

LineTimes::Powered::Powered(stats::Group& g, bool ideal)
    : data_on(g, "data_on_cycles",
              ideal ? "lines whose data Ideal-Gating powers, summed over cycles of L2"
                    : "lines whose data are powered, summed over cycles of L2",
              stats::Unit::cycles),
      tag_on(g, "tag_on_cycles", "lines whose tag is powered, summed over cycles of L2", stats::Unit::cycles) {}

void LineTimes::advance(Cycle now) {
  const Cycle passed = now - advanced_to_;
  advanced_to_ = now;
  line_cycles_ += passed * lines_;
  used_cycles_ += passed * used_;
  if (powered_ == nullptr) return;
  powered_->tag_on += passed * used_;
  powered_->data_on += ideal_ ? live_.value() - powered_->data_on.value() : passed * on_;
}

}  // namespace wharf

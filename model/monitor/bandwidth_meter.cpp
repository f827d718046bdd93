#include "model/monitor/bandwidth_meter.h"

#include <algorithm>
#include <utility>

namespace wharf {

BandwidthMeter::BandwidthMeter(sc_core::sc_module_name name, Cycle window, ClockDomain& core, Machine machine)
    : sc_module(name),
      window_(window),
      core_(core),
      machine_(std::move(machine)),
      block_(core.add(*this)),
      l2_(machine_.l2.size()),
      dram_(machine_.dram.size()) {
  SC_METHOD(measure);
  sensitive << after_edges_;
  dont_initialize();
  core_.wake(block_, window_);
}

void BandwidthMeter::act(Cycle now) {
  if (now % window_ == 0) after_edges_.notify(sc_core::SC_ZERO_TIME);
}

void BandwidthMeter::measure() {
  if (machine_.done()) return;
  core_.wake(block_, core_.now() + window_);
  const double l2 = fraction(machine_.l2, l2_);
  machine_.report(l2, fraction(machine_.dram, dram_));
}

double BandwidthMeter::fraction(const std::vector<Unit>& units, std::vector<Mark>& last) const {
  double sum = 0.0, most = 0.0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Mark now{units[i].busy_cycles(), units[i].clock->present_cycle()};
    const auto cycles = static_cast<double>(now.cycle - last[i].cycle);
    const double busy = cycles == 0.0 ? 0.0 : static_cast<double>(now.busy - last[i].busy) / cycles;
    last[i] = now;
    sum += busy;
    most = std::max(most, busy);
  }
  return machine_.of == Of::busiest ? most : sum / static_cast<double>(units.size());
}

}  // namespace wharf

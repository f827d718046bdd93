#include "model/monitor/bandwidth_meter.h"

#include <utility>

namespace wharf {

BandwidthMeter::BandwidthMeter(sc_core::sc_module_name name, Cycle window, ClockDomain& core, Machine machine)
    : sc_module(name), window_(window), core_(core), machine_(std::move(machine)), block_(core.add(*this)) {
  SC_METHOD(measure);
  sensitive << after_edges_;
  dont_initialize();
  core_.wake(block_, window_);
}

void BandwidthMeter::act(Cycle now) {
  if (now % window_ != 0 || machine_.done()) return;
  core_.wake(block_, now + window_);
  after_edges_.notify(sc_core::SC_ZERO_TIME);
}

void BandwidthMeter::measure() {
  const double l2 = fraction(machine_.l2, l2_);
  machine_.tell(l2, fraction(machine_.dram, dram_));
}

double BandwidthMeter::fraction(const Resource& resource, Mark& last) {
  const Mark now{resource.busy_cycles(), resource.clock->present_cycle()};
  const double cycles = static_cast<double>(now.cycle - last.cycle) * resource.units;
  const double busy = static_cast<double>(now.busy - last.busy);
  last = now;
  return cycles == 0.0 ? 0.0 : busy / cycles;
}

}  // namespace wharf

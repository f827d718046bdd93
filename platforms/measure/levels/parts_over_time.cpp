#include "platforms/measure/levels/parts_over_time.h"

#include <cmath>

namespace wharf {

PartsOverTime::PartsOverTime(const stats::Registry& registry, const GpuParams& params, Cycle step) : curve_(step, kIntervals) {
  const auto add = [&](const char* metric, const std::string& name, std::uint32_t mhz) {
    const stats::Registry::Metric* part = registry.find_metric(metric);
    for (const auto& entry : registry.counters())
      if (entry.metric == part)
        parts_.push_back({name + "." + std::to_string(entry.instance), entry.counter, static_cast<double>(mhz) / params.clock_mhz.core});
  };
  add("l2.accesses", "l2", params.clock_mhz.l2);  // a slice accepts one per cycle
  add("dram.bus_busy_cycles", "dram", params.clock_mhz.dram);
}

TimeCurve::Totals PartsOverTime::totals() const {
  TimeCurve::Totals totals;
  for (const Part& part : parts_) totals.push_back(part.busy->value());
  return totals;
}

stats::TableRows PartsOverTime::rows() const {
  stats::TableRows table{{"cycle"}, {}};
  for (const Part& part : parts_) table.columns.push_back(part.name);
  for (const TimeCurve::Interval& interval : curve_.intervals()) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(interval.begin);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const double cycles = static_cast<double>(interval.end - interval.begin) * parts_[i].cycles_a_core_cycle;
      row.emplace_back(static_cast<std::uint64_t>(std::lround(1000.0 * static_cast<double>(interval.totals[i]) / cycles)));
    }
  }
  return table;
}

}  // namespace wharf

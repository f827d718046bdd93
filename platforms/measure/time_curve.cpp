#include "platforms/measure/time_curve.h"

#include <algorithm>

#include "model/base/error.h"

namespace wharf {

void TimeCurve::sample(std::uint64_t now, Totals totals) {
  samples_.push_back({now, std::move(totals), false});
  if (samples_.size() <= most_) return;
  step_ *= 2;
  const auto in_one_step = [this](const Sample& a, const Sample& b) { return a.at / step_ == b.at / step_ && !a.pauses && !b.pauses; };
  samples_.erase(std::unique(samples_.begin(), samples_.end(), in_one_step), samples_.end());
}

std::vector<TimeCurve::Interval> TimeCurve::intervals() const {
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < samples_.size() && samples_[i].at < end_.at; ++i) {
    const Sample& from = samples_[i];
    if (from.pauses) continue;
    const Sample& to = i + 1 < samples_.size() && samples_[i + 1].at < end_.at ? samples_[i + 1] : end_;
    Interval& interval = intervals.emplace_back(Interval{from.at, to.at, to.totals});
    for (std::size_t k = 0; k < interval.totals.size(); ++k) interval.totals[k] -= from.totals[k];
  }
  return intervals;
}

CounterTotals::CounterTotals(const stats::Registry& registry, std::vector<std::string> names) : names_(std::move(names)) {
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  std::vector<std::vector<const stats::Counter*>> counters_of(registry.metrics().size());
  for (const auto& entry : registry.counters()) counters_of[entry.metric->number].push_back(entry.counter);
  for (const std::string& name : names_) {
    const stats::Registry::Metric* metric = registry.find_metric(name);
    counters_.push_back(metric == nullptr ? std::vector<const stats::Counter*>{} : std::move(counters_of[metric->number]));
  }
}

TimeCurve::Totals CounterTotals::now() const {
  TimeCurve::Totals totals;
  for (const auto& counters : counters_) {
    std::uint64_t& total = totals.emplace_back(0);
    for (const stats::Counter* counter : counters) total += counter->value();
  }
  return totals;
}

std::uint64_t CounterTotals::of(std::string_view name, const TimeCurve::Totals& totals) const {
  const auto it = std::lower_bound(names_.begin(), names_.end(), name);
  if (it == names_.end() || *it != name) throw SimulationError("no total is kept of the counter " + std::string(name));
  return totals.at(static_cast<std::size_t>(it - names_.begin()));
}

std::function<double(const std::string&)> CounterTotals::reader(const TimeCurve::Totals& totals) const {
  return [this, &totals](const std::string& name) { return static_cast<double>(of(name, totals)); };
}

}  // namespace wharf

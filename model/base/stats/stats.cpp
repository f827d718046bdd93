#include "model/base/stats/stats.h"

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/hash.h"

#include <algorithm>
#include <numeric>

namespace wharf::stats {

Group::Group(Registry& registry, std::string prefix, int instance) : registry_(registry), prefix_(std::move(prefix)), instance_(instance) {}

void Group::law(std::string text, std::function<bool()> holds) { registry_.laws_.push_back({path(), std::move(text), std::move(holds)}); }

std::string Group::path() const { return instance_ == kOnly ? prefix_ : prefix_ + "[" + std::to_string(instance_) + "]"; }

Counter::Counter(Group& group, std::string_view name, std::string_view help, Unit unit) {
  Registry& registry = group.registry();
  const Registry::Metric& metric = registry.metric_of(group.prefix(), name, help, unit);
  registry.counters_.push_back({group.prefix(), group.instance(), this, &metric});
}

Histogram::Histogram(Group& group, std::string_view name, std::string_view help, Unit unit) {
  group.registry().histograms_.push_back({group.prefix(), std::string(name), std::string(help), unit, group.instance(), this});
}

std::uint64_t Histogram::count() const { return std::accumulate(std::begin(bins_), std::end(bins_), std::uint64_t{0}); }

/// The metric of the next counter. All instances of a block register their counters in the same order, so the metric that followed this one
/// last time usually follows it again. Then its name is not assembled and the map is not searched.
const Registry::Metric& Registry::metric_of(const std::string& prefix, std::string_view name, std::string_view help, Unit unit) {
  if (alike_ < counters_.size() && counters_[alike_].prefix == prefix && counters_[alike_].name() == name)
    return *counters_[alike_++].metric;
  std::string full = prefix + "." + std::string(name);
  const Metric* metric = find_metric(full);
  if (metric == nullptr) {
    metric = &metrics_.emplace_back(Metric{std::move(full), std::string(help), unit, metrics_.size(), counters_.size()});
    metric_by_name_.emplace(metric->name, metric);
  }
  alike_ = metric->first + 1;
  return *metric;
}

const Registry::Metric* Registry::find_metric(std::string_view name) const {
  const auto found = metric_by_name_.find(name);
  return found == metric_by_name_.end() ? nullptr : found->second;
}

View::View(const Registry& registry, const Snapshot& from, const Snapshot& to) : registry_(registry), totals_(registry.metrics().size()) {
  const auto& counters = registry.counters();
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const std::uint64_t value = to[i] - from[i];
    Total& total = totals_[counters[i].metric->number];
    total.sum += value;
    total.min = std::min(total.min, value);
    total.max = std::max(total.max, value);
    ++total.instances;
  }
}

const View::Total* View::find(std::string_view name) const {
  const Registry::Metric* metric = registry_.find_metric(name);
  return metric == nullptr ? nullptr : &totals_.at(metric->number);
}

bool View::has(std::string_view name) const { return find(name) != nullptr; }

std::uint64_t View::sum(std::string_view name) const {
  const Total* total = find(name);
  return total == nullptr ? 0 : total->sum;
}

std::uint64_t View::max(std::string_view name) const {
  const Total* total = find(name);
  return total == nullptr ? 0 : total->max;
}

std::uint64_t View::min(std::string_view name) const {
  const Total* total = find(name);
  return total == nullptr ? 0 : total->min;
}

std::uint64_t View::instances(std::string_view name) const {
  const Total* total = find(name);
  return total == nullptr ? 0 : total->instances;
}

double View::ratio(std::string_view numerator, std::string_view denominator) const {
  const std::uint64_t below = sum(denominator);
  return below == 0 ? 0.0 : static_cast<double>(sum(numerator)) / static_cast<double>(below);
}

void Registry::derived(std::string name, std::string help, Unit unit, std::function<double(const View&)> value) {
  derived_.push_back({std::move(name), std::move(help), unit, std::move(value)});
}

void Registry::table(std::string name, std::string help, std::function<TableRows(const View&)> rows) {
  tables_.push_back({std::move(name), std::move(help), std::move(rows)});
}

Snapshot Registry::snapshot() const {
  Snapshot values(counters_.size());
  std::transform(counters_.begin(), counters_.end(), values.begin(), [](const CounterEntry& e) { return e.counter->value(); });
  return values;
}

void Registry::restore(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < counters_.size(); ++i) counters_[i].counter->value_ = snapshot.at(i);
}

std::vector<std::string> Registry::broken_laws() const {
  std::vector<std::string> broken;
  for (const Law& law : laws_)
    if (!law.holds()) broken.push_back(law.path + ": " + law.text);
  return broken;
}

void Registry::archive(Archive& file) {
  std::string names;
  for (const CounterEntry& entry : counters_) names += entry.metric->name + ' ' + std::to_string(entry.instance) + '\n';
  std::uint64_t counted = hash64(names);
  file(counted);
  if (counted != hash64(names))
    throw InputError("checkpoint: this machine has other counters than the saved one; load it with the same configuration and options");
  for (CounterEntry& entry : counters_) file(entry.counter->value_);
  for (HistogramEntry& entry : histograms_) file(*entry.histogram);
}

}  // namespace wharf::stats

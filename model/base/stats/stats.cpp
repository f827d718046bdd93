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
  group.registry().counters_.push_back({group.prefix(), std::string(name), std::string(help), unit, group.instance(), this});
}

Histogram::Histogram(Group& group, std::string_view name, std::string_view help, Unit unit) {
  group.registry().histograms_.push_back({group.prefix(), std::string(name), std::string(help), unit, group.instance(), this});
}

std::uint64_t Histogram::count() const { return std::accumulate(std::begin(bins_), std::end(bins_), std::uint64_t{0}); }

namespace {

/// True where counter.metric() == metric.
bool is_metric_of(const Registry::CounterEntry& counter, const std::string& metric) {
  const std::size_t prefix = counter.prefix.size();
  return metric.size() == prefix + 1 + counter.name.size() && metric.compare(0, prefix, counter.prefix) == 0 &&
         metric.compare(prefix + 1, std::string::npos, counter.name) == 0;
}

}  // namespace

View::View(const Registry& registry, const Snapshot& from, const Snapshot& to) {
  const auto& counters = registry.counters();
  // The counters of a block's instances come in the same order. So what followed this metric before is what follows now, as a rule, and
  // neither is its name made nor the map searched.
  std::vector<decltype(totals_)::iterator> places(counters.size());
  std::vector<std::size_t> before(counters.size(), 0);  // an earlier counter of the same metric; itself where there is none
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const std::uint64_t value = to[i] - from[i];
    const std::size_t guess = i == 0 ? i : before[i - 1] + 1;
    if (guess < i && is_metric_of(counters[i], places[guess]->first)) {
      places[i] = places[guess];
      before[i] = guess;
    } else {
      const auto [place, is_new] = totals_.try_emplace(counters[i].metric());
      before[i] = is_new ? i : static_cast<std::size_t>(std::find(places.begin(), places.end(), place) - places.begin());
      places[i] = place;
    }
    Total& total = places[i]->second;
    total.sum += value;
    total.min = std::min(total.min, value);
    total.max = std::max(total.max, value);
    ++total.instances;
  }
}

bool View::has(std::string_view name) const { return totals_.find(name) != totals_.end(); }

std::uint64_t View::sum(std::string_view name) const {
  const auto it = totals_.find(name);
  return it == totals_.end() ? 0 : it->second.sum;
}

std::uint64_t View::max(std::string_view name) const {
  const auto it = totals_.find(name);
  return it == totals_.end() ? 0 : it->second.max;
}

std::uint64_t View::min(std::string_view name) const {
  const auto it = totals_.find(name);
  return it == totals_.end() ? 0 : it->second.min;
}

std::uint64_t View::instances(std::string_view name) const {
  const auto it = totals_.find(name);
  return it == totals_.end() ? 0 : it->second.instances;
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

std::vector<std::string> Registry::broken_laws() const {
  std::vector<std::string> broken;
  for (const Law& law : laws_)
    if (!law.holds()) broken.push_back(law.path + ": " + law.text);
  return broken;
}

void Registry::archive(Archive& file) {
  std::string names;
  for (const CounterEntry& entry : counters_) names += entry.metric() + ' ' + std::to_string(entry.instance) + '\n';
  std::uint64_t counted = hash64(names);
  file(counted);
  if (counted != hash64(names))
    throw InputError("checkpoint: this machine counts other things than the one that was saved; load it with the same configuration and options");
  for (CounterEntry& entry : counters_) file(entry.counter->value_);
  for (HistogramEntry& entry : histograms_) file(*entry.histogram);
}

}  // namespace wharf::stats

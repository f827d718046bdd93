#include "platforms/cli/results/sampled_estimates.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "platforms/measure/metrics.h"

namespace wharf::cli {
namespace {

constexpr const char* kTimeAndWork[] = {"cycles", "time_ns", "thread_instructions", "warp_instructions"};
constexpr std::size_t kFirstCounter = std::size(kTimeAndWork);

/// Groups of counters that depend on the launch alone, and those that depend also on what earlier launches have left in L2 and DRAM. Of the
/// second, no interval over the drawn launches covers the error if skipped launches leave nothing there.
constexpr std::string_view kOfLaunch[] = {"run", "front_end", "sm", "l1", "nic", "net"};
constexpr std::string_view kOfContents[] = {"l2", "dram"};

/// Cycles and times, whose intervals allow for the state in which skipped work leaves the machine: another order of lines in L2, rows of DRAM
/// and drift of CTAs. No interval over the drawn launches covers that, since all of them find it. In the studies of docs/howto-sample.md, no
/// whole run lay further outside of the interval of drawing alone.
constexpr std::string_view kTimes[] = {"cycles", "time_ns", "run.core_cycles", "run.dram_cycles", "net.cycles"};
constexpr double kOfState = 0.01;  // of what was not measured

/// Counters of predictors, which have not seen the skipped launches.
constexpr std::string_view kOfPredictors[] = {"sm.prediction.", "sm.prediction_table.", "sm.phase."};

/// Groups of sums over samples that are taken at equal distances of time. Too few fall into the measured part for an estimate.
constexpr std::string_view kOfTimeSamples[] = {"directory", "l2_copies"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string_view group_of(std::string_view metric) { return metric.substr(0, metric.find('.')); }

/// Adds `metric`, times `factor`, to `sum`.
void add(LinearMetric& sum, const LinearMetric& metric, double factor) {
  for (const auto& [place, of_place] : metric) {
    const auto same = std::find_if(sum.begin(), sum.end(), [place = place](const auto& summand) { return summand.first == place; });
    if (same == sum.end())
      sum.emplace_back(place, factor * of_place);
    else
      same->second += factor * of_place;
  }
}

}  // namespace

SampledEstimates::SampledEstimates(const SamplingPlan& plan, const stats::Registry& statistics, const Json& launches,
                                   const SkippedLaunches* skipped)
    : plan_(plan),
      statistics_(statistics),
      names_(std::begin(kTimeAndWork), std::end(kTimeAndWork)),
      launches_(plan.launches().size()),
      warms_(skipped != nullptr) {
  for (const auto& metric : statistics.metrics()) names_.push_back(metric.name);
  for (std::size_t place = 0; place < names_.size(); ++place) places_.emplace(names_[place], place);
  const std::vector<std::size_t> detailed = plan.detailed();
  for (std::size_t i = 0; i < detailed.size(); ++i) launches_[detailed[i]] = counts_of(launches.at(i), places_);
  if (warms_) expect_traffic(*skipped);
}

/// Appends the expected traffic to the counts of all launches and spans in detail.
void SampledEstimates::expect_traffic(const SkippedLaunches& skipped) {
  const ExpectedTraffic expected(plan_, skipped);
  const auto traffic_of = [&](const Counts& counts) {
    ExpectedTraffic::Counts traffic;
    for (std::size_t i = 0; i < traffic.size(); ++i) traffic[i] = counts[places_.at(kL2Traffic[i])];
    return traffic;
  };
  const auto append = [&](Counts& counts, const ExpectedTraffic::Counts& traffic) {
    counts.insert(counts.end(), traffic.begin(), traffic.end());
    for (std::size_t i = 0; i < traffic.size(); ++i) expected_[i] += traffic[i];
  };
  expected_ = expected.of_skipped();
  for (const std::size_t number : plan_.detailed()) {
    LaunchCounts& launch = launches_[number];
    if (launch.spans == 0) append(launch.counts, expected.of_launch(number, traffic_of(launch.counts)));
    for (std::size_t number_of_span = 0; number_of_span < launch.detailed.size(); ++number_of_span) {
      LaunchCounts::Span& span = launch.detailed[number_of_span];
      append(span.counts, expected.of_span(number, number_of_span, span.warp_instructions, traffic_of(span.counts)));
    }
  }
  for (const char* name : {"dram.reads", "dram.writes"}) dram_traffic_.emplace_back(places_.at(name), 1.0);
}

bool SampledEstimates::has_interval(std::size_t place) const {
  const std::string_view name = names_[place], group = group_of(name);
  for (const std::string_view prefix : kOfPredictors)
    if (name.substr(0, prefix.size()) == prefix) return false;
  return place < kFirstCounter || is_one_of(group, kOfLaunch) || (warms_ && is_one_of(group, kOfContents));
}

/// What drawing says of the total of a metric.
TotalEstimate SampledEstimates::estimate_of_drawn(const LinearMetric& metric, std::size_t group) const {
  std::vector<SampledStratum> strata;
  for (const LaunchStratum& stratum : plan_.strata()) {
    if (group != kAllGroups && stratum.group != group) continue;
    SampledStratum& sampled = strata.emplace_back(SampledStratum{stratum.launches, static_cast<double>(stratum.size), {}});
    for (const std::size_t launch : stratum.measured) sampled.drawn.push_back(member_of(launches_[launch], metric));
  }
  return estimate_total(strata);
}

TotalEstimate SampledEstimates::estimate(const LinearMetric& metric, std::size_t group) const {
  TotalEstimate estimated = estimate_of_drawn(metric, group);
  for (const auto& [place, factor] : metric) {
    if (place >= names_.size() || !is_one_of(names_[place], kTimes)) continue;
    const double unmeasured = estimate_of_drawn({{place, 1.0}}, group).total - measured(place, group);
    estimated.half_width += kOfState * std::abs(factor * unmeasured);
  }
  return estimated;
}

/// What was measured of a metric.
double SampledEstimates::measured(std::size_t place, std::size_t group) const {
  double sum = 0;
  for (const LaunchStratum& stratum : plan_.strata())
    if (group == kAllGroups || stratum.group == group)
      for (const std::size_t launch : stratum.measured) sum += launches_[launch].counts[place];
  return sum;
}

/// Traffic is what all work counted, skipped or not. Where the drawn launches differ from skipped work like them by more than by chance, because
/// it accesses L2 in another order, that is corrected: a difference estimate (Cochran, chapter 7). Skipped work has at least no traffic.
SampledEstimates::Form SampledEstimates::form_of_traffic(std::size_t number) const {
  const LinearMetric difference = {{places_.at(kL2Traffic[number]), 1.0}, {names_.size() + number, -1.0}};
  double differences = 0, detailed = 0;
  const auto add_counts = [&](const Counts& counts) {
    differences += value_of(counts, difference);
    detailed += counts[difference.front().first];
  };
  for (const LaunchCounts& launch : launches_) {
    if (launch.spans == 0 && !launch.counts.empty()) add_counts(launch.counts);
    for (const LaunchCounts::Span& span : launch.detailed) add_counts(span.counts);
  }
  const double counted = expected_[number] + differences;
  const TotalEstimate estimated = estimate(difference);
  const bool by_chance = std::abs(estimated.total - differences) <= estimated.half_width;
  const double total = by_chance || is_written_data(number) ? counted : std::max(expected_[number] + estimated.total, detailed);
  return {total - estimated.total, difference, counted - total};
}

/// What else DRAM does follows its traffic: a combined ratio estimate (Cochran, chapter 6).
SampledEstimates::Form SampledEstimates::form_of(std::size_t place) const {
  if (names_[place] == "front_end.kernels") return {static_cast<double>(plan_.launches().size()), {}};
  if (names_[place] == "front_end.ctas" || names_[place] == "sm.ctas") return {static_cast<double>(plan_.ctas()), {}};
  const LinearMetric itself = {{place, 1.0}};
  if (!warms_) return {0, itself};
  const auto* traffic = std::find(kL2Traffic.begin(), kL2Traffic.end(), names_[place]);
  if (traffic != kL2Traffic.end()) return form_of_traffic(static_cast<std::size_t>(traffic - kL2Traffic.begin()));
  if (group_of(names_[place]) != "dram") return {0, itself};
  Form of_traffic;
  for (const auto& summand : dram_traffic_) {
    const Form form = form_of(summand.first);
    of_traffic.known += form.known;
    of_traffic.uncorrected += form.uncorrected;
    add(of_traffic.sampled, form.sampled, 1);
  }
  const double drawn = estimate(dram_traffic_).total;
  if (drawn == 0) return {0, itself};
  const double scale = (of_traffic.known + estimate(of_traffic.sampled).total) / drawn, ratio = estimate(itself).total / drawn;
  Form form{ratio * of_traffic.known, {{place, scale}}, ratio * of_traffic.uncorrected};
  add(form.sampled, of_traffic.sampled, ratio);
  add(form.sampled, dram_traffic_, -scale * ratio);
  return form;
}

Json SampledEstimates::total(std::size_t place, std::size_t group) const {
  const Form form = form_of(place);
  const TotalEstimate estimated = estimate(form.sampled, group);
  const double total = form.known + estimated.total;
  Json json = {{"estimate", total}};
  if (!has_interval(place)) return json;
  const double counted = measured(place, group);
  // No count is negative, so the total is at least what was counted.
  json["low"] = std::min({std::max(total - estimated.half_width, counted), total, total + form.uncorrected});
  json["high"] = std::max(total + estimated.half_width, total + form.uncorrected);
  return json;
}

Json SampledEstimates::cycles_of_group(std::size_t group) const { return total(places_.at("cycles"), group); }

Json SampledEstimates::metrics() const {
  Json metrics;
  for (std::size_t place = 0; place < names_.size(); ++place) metrics[names_[place]] = total(place);
  add_derived(metrics);
  return metrics;
}

/// Counters with these totals. Of each metric's instances, the first has it all, or each has an equal part.
stats::Snapshot SampledEstimates::counters_of(const Counts& totals, bool equal_parts) const {
  std::vector<std::uint64_t> instances(statistics_.metrics().size());
  for (const auto& counter : statistics_.counters()) ++instances[counter.metric->number];
  stats::Snapshot values(statistics_.counters().size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const stats::Registry::Metric& metric = *statistics_.counters()[i].metric;
    const auto total = static_cast<std::uint64_t>(std::llround(totals[kFirstCounter + metric.number]));
    const std::uint64_t part = equal_parts ? total / instances[metric.number] : 0;
    values[i] = i == metric.first ? total - part * (instances[metric.number] - 1) : part;
  }
  return values;
}

stats::View SampledEstimates::view_of(const Counts& totals, bool equal_parts) const {
  return {statistics_, stats::Snapshot(statistics_.counters().size()), counters_of(totals, equal_parts)};
}

/// Adds the metrics that are computed from totals. One that depends on how a total is spread over instances, or on samples in time, has no
/// estimate; the sums over such samples are erased.
///
/// An interval is that of the metric's linear part: the sum of the totals, each times the metric's slope (Cochran, chapter 6: a ratio's residuals).
void SampledEstimates::add_derived(Json& metrics) const {
  Counts totals, other_samples;
  for (std::size_t place = 0; place < names_.size(); ++place) {
    totals.push_back(metrics[names_[place]]["estimate"].get<double>());
    const bool in_time = is_one_of(group_of(names_[place]), kOfTimeSamples);
    other_samples.push_back(in_time ? 3.0 + static_cast<double>(place) : totals.back());
  }
  add_ratio(metrics, "ipc", "thread_instructions", "cycles");
  struct Derived {
    const stats::Registry::DerivedEntry* entry;
    double value;
    LinearMetric slopes = {};
    double uncorrected = 0;
    bool has_interval = true;
  };
  std::vector<Derived> all;
  const stats::View in_first = view_of(totals), in_all = view_of(totals, true), in_time = view_of(other_samples);
  for (const auto& entry : statistics_.derived_metrics()) {
    const double value = entry.value(in_first);
    if (value == entry.value(in_all) && value == entry.value(in_time) && !metrics.contains(entry.name)) all.push_back({&entry, value});
  }
  for (std::size_t place = kFirstCounter; place < names_.size(); ++place) {
    Counts more = totals;
    const double step = std::max(1.0, std::round(totals[place] / 1024));
    more[place] = std::round(more[place]) + step;
    const stats::View with_more = view_of(more);
    for (Derived& derived : all) {
      const double slope = (derived.entry->value(with_more) - derived.value) / step;
      if (slope == 0) continue;
      derived.has_interval &= has_interval(place) && std::isfinite(slope);
      const Form form = form_of(place);
      add(derived.slopes, form.sampled, slope);
      derived.uncorrected += slope * form.uncorrected;
    }
  }
  for (const Derived& derived : all) {
    Json& metric = metrics[derived.entry->name] = {{"estimate", derived.value}};
    if (!derived.has_interval) continue;
    const double half_width = estimate(derived.slopes).half_width;
    const double low = std::min(derived.value - half_width, derived.value + derived.uncorrected);
    metric["low"] = derived.value < 0 ? low : std::max(low, 0.0);
    metric["high"] = std::max(derived.value + half_width, derived.value + derived.uncorrected);
  }
  for (const std::string& name : names_)
    if (is_one_of(group_of(name), kOfTimeSamples)) metrics.erase(name);
}

/// A ratio of two additive metrics, which need not be counters.
void SampledEstimates::add_ratio(Json& metrics, const char* name, const char* above, const char* below) const {
  const auto divisor = metrics[below]["estimate"].get<double>();
  const double ratio = measure::ratio(metrics[above]["estimate"].get<double>(), divisor);
  const double half_width =
      divisor == 0 ? 0 : estimate({{places_.at(above), 1 / divisor}, {places_.at(below), -ratio / divisor}}).half_width;
  metrics[name] = {{"estimate", ratio}, {"low", std::max(ratio - half_width, 0.0)}, {"high", ratio + half_width}};
}

}  // namespace wharf::cli

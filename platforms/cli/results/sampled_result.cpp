#include "platforms/cli/results/sampled_result.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "platforms/cli/results/check_results.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/results/sampled_launches.h"
#include "platforms/measure/metrics.h"
#include "stimuli/sampling/stratified_estimate.h"

namespace wharf::cli {
namespace {

constexpr const char* kTimeAndWork[] = {"cycles", "time_ns", "thread_instructions", "warp_instructions"};
constexpr const char* kShown[] = {
    "cycles",     "warp_instructions", "l1.sectors.accesses", "l1.sectors.misses", "l2.sectors.accesses", "l2.sectors.misses",
    "dram.reads", "dram.writes"};

/// Groups of counters that depend on the launch alone, and those that depend also on what earlier launches have left in L2 and DRAM. Of the
/// second, no interval over the drawn launches covers the error if skipped launches leave nothing there.
constexpr std::string_view kOfLaunch[] = {"run", "front_end", "sm", "l1", "nic", "net"};
constexpr std::string_view kOfContents[] = {"l2", "dram"};

/// Counters of what enters and leaves L2. They depend on the first touches of lines, which no L1 hides, so those of a skipped launch can be
/// counted without simulating it.
constexpr std::string_view kOfTraffic[] = {"l2.misses",     "l2.sectors.misses", "l2.fills",   "l2.evictions",
                                           "l2.writebacks", "dram.reads",        "dram.writes"};

/// Groups of sums over samples that are taken at equal distances of time. Too few fall into the measured part for an estimate.
constexpr std::string_view kOfTimeSamples[] = {"directory", "l2_copies"};

std::string_view group_of(std::string_view metric) { return metric.substr(0, metric.find('.')); }

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool has_interval(std::string_view metric, bool warmed) {
  const std::string_view group = group_of(metric);
  return is_one_of(metric, kTimeAndWork) || is_one_of(group, kOfLaunch) || (warmed && is_one_of(group, kOfContents));
}

/// The names of the metrics whose values for launches add up to that of the run.
std::vector<std::string> additive_metrics(const stats::Registry& statistics) {
  std::vector<std::string> names(std::begin(kTimeAndWork), std::end(kTimeAndWork));
  for (const auto& metric : statistics.metrics()) names.push_back(metric.name);
  return names;
}

/// The metrics of each launch that ran in detail.
class LaunchResults {
 public:
  LaunchResults(const Measurement& measured, const SamplingPlan& plan, const SkippedPart& skipped)
      : plan_(plan), numbers_(plan.detailed()), at_(plan.launches().size()) {
    if (skipped.warmed != nullptr) {
      const stats::Snapshot nothing(skipped.warmed->size());
      skipped_.emplace(measured.statistics, nothing, *skipped.warmed);
    }
    const IntervalMetrics metrics(measured.statistics);
    numbers_.resize(std::min(numbers_.size(), measured.kernels.size()));
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      at_[numbers_[i]] = i;
      launches_.push_back(sampled_launch_json(plan, numbers_[i], measured.kernels[i], skipped.in_part[numbers_[i]], metrics));
    }
  }

  const Json& to_json() const { return launches_; }

  /// The total over the run.
  Json total(const std::string& metric) const {
    if (!skipped_ || !is_one_of(metric, kOfTraffic)) return estimate(metric, kAll);
    double sum = static_cast<double>(skipped_->sum(metric));
    for (const Json& launch : launches_) sum += launch.at(metric).get<double>();
    return {{"estimate", sum}, {"counted", true}};
  }

  /// The estimate of the total over some strata, which are those of `group`, or all for kAll.
  static constexpr std::size_t kAll = ~std::size_t{0};
  Json estimate(const std::string& metric, std::size_t group) const {
    std::vector<SampledStratum> strata;
    double counted = 0;
    for (const LaunchStratum& stratum : plan_.strata()) {
      if (group != kAll && stratum.group != group) continue;
      SampledStratum& sampled = strata.emplace_back(SampledStratum{stratum.launches, static_cast<double>(stratum.size), {}});
      for (const std::size_t launch : stratum.measured) {
        sampled.drawn.push_back(member_of(launches_[at_[launch]], metric));
        counted += launches_[at_[launch]].at(metric).get<double>();
      }
    }
    const TotalEstimate estimate = estimate_total(strata);
    Json json = {{"estimate", estimate.total}};
    if (!has_interval(metric, skipped_.has_value())) return json;
    // No count is negative, so the total is at least what was counted.
    json["low"] = std::min(std::max(estimate.total - estimate.half_width, counted), estimate.total);
    json["high"] = estimate.total + estimate.half_width;
    return json;
  }

 private:
  const SamplingPlan& plan_;
  std::vector<std::size_t> numbers_;  // of the launches that ran in detail
  std::vector<std::size_t> at_;       // [launch]: index in numbers_ and launches_
  Json launches_ = Json::array();
  std::optional<stats::View> skipped_;  // what the skipped launches would have counted in L2 and DRAM
};

Json groups_json(const SamplingPlan& plan, const LaunchResults* results) {
  Json json = Json::array();
  for (std::size_t g = 0; g < plan.groups().size(); ++g) {
    const LaunchGroup& group = plan.groups()[g];
    std::size_t measured = 0;
    for (const LaunchStratum& stratum : plan.strata())
      if (stratum.group == g) measured += stratum.measured.size();
    Json& entry = json.emplace_back(Json::object());
    entry["kernel"] = group.first.kernel;
    entry["grid"] = dimensions(group.first.grid);
    entry["block"] = dimensions(group.first.block);
    entry["smallest"] = group.smallest;
    entry["largest"] = group.largest;
    entry["size"] = group.size;
    entry["launches"] = group.launches.size();
    entry["measured_launches"] = measured;
    if (results != nullptr) entry["cycles"] = results->estimate("cycles", g);
  }
  return json;
}

/// What was drawn from, as launch numbers from 1.
Json strata_json(const SamplingPlan& plan) {
  Json json = Json::array();
  for (const LaunchStratum& stratum : plan.strata()) {
    Json& entry = json.emplace_back(Json{{"group", stratum.group}, {"launches", stratum.launches}, {"size", stratum.size}});
    entry["measured"] = Json::array();
    for (const std::size_t launch : stratum.measured) entry["measured"].push_back(launch + 1);
  }
  return json;
}

/// Counters whose totals are the estimates of `metrics`. Of each metric's instances, the first has it all, or each has an equal part.
stats::Snapshot counters_of(const stats::Registry& statistics, const Json& metrics, bool equal_parts) {
  std::vector<std::uint64_t> instances(statistics.metrics().size());
  for (const auto& counter : statistics.counters()) ++instances[counter.metric->number];
  stats::Snapshot values(statistics.counters().size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const stats::Registry::Metric& metric = *statistics.counters()[i].metric;
    const auto total = static_cast<std::uint64_t>(std::llround(metrics.at(metric.name).at("estimate").get<double>()));
    const std::uint64_t part = equal_parts ? total / instances[metric.number] : 0;
    values[i] = i == metric.first ? total - part * (instances[metric.number] - 1) : part;
  }
  return values;
}

/// Adds the metrics that are computed from totals. One that depends on how a total is spread over instances, or on samples in time, has no
/// estimate; the sums over such samples are erased.
void add_derived(const stats::Registry& statistics, Json& metrics) {
  const stats::Snapshot nothing(statistics.counters().size());
  const stats::View in_first(statistics, nothing, counters_of(statistics, metrics, false));
  const stats::View in_all(statistics, nothing, counters_of(statistics, metrics, true));
  for (const auto& metric : statistics.metrics())
    if (is_one_of(group_of(metric.name), kOfTimeSamples)) metrics[metric.name]["estimate"] = 3.0 + metric.number;
  const stats::View other_samples(statistics, nothing, counters_of(statistics, metrics, false));
  const auto add = [&metrics](const std::string& name, double value) {
    if (!metrics.contains(name)) metrics[name] = {{"estimate", value}};
  };
  add("ipc", measure::ratio(metrics["thread_instructions"]["estimate"].get<double>(), metrics["cycles"]["estimate"].get<double>()));
  for (const auto& entry : statistics.derived_metrics())
    if (const double value = entry.value(in_first); value == entry.value(in_all) && value == entry.value(other_samples))
      add(entry.name, value);
  for (const auto& metric : statistics.metrics())
    if (is_one_of(group_of(metric.name), kOfTimeSamples)) metrics.erase(metric.name);
}

/// How much of the program ran, and how much of that counts.
Json shares_json(const SamplingPlan& plan, const char* size_unit) {
  std::uint64_t size = 0, detailed_size = 0;
  std::size_t detailed = 0, measured = 0, in_part = 0;
  for (std::size_t launch = 0; launch < plan.launches().size(); ++launch) {
    size += plan.launches()[launch].size;
    if (!plan.is_detailed(launch)) continue;
    const LaunchFacts& facts = plan.launches()[launch];
    const CtaSpans* spans = plan.spans(launch);
    detailed_size += spans == nullptr ? facts.size : facts.size * spans->detailed_ctas() / facts.grid.count();
    if (spans != nullptr) ++in_part;
    ++detailed;
    if (plan.role(launch) == LaunchRole::measured) ++measured;
  }
  return {{"confidence", 0.95},
          {"launches", plan.launches().size()},
          {"detailed_launches", detailed},
          {"measured_launches", measured},
          {"launches_in_part", in_part},
          {"size_unit", size_unit},
          {"size", size},
          {"detailed_size", detailed_size}};
}

double share(const Json& part, const Json& whole) {
  const auto all = whole.get<double>();
  return all == 0 ? 0 : 100.0 * part.get<double>() / all;
}

/// "1,234,567", and half the width of the interval: "2.10 %" of the estimate, "counted", or "-".
std::pair<std::string, std::string> estimate_text(const Json& metric) {
  const auto total = metric["estimate"].get<double>();
  const std::string text = with_commas(static_cast<std::uint64_t>(total + 0.5));
  if (!metric.contains("high")) return {text, metric.contains("counted") ? "counted" : "-"};
  const double half_width = metric["high"].get<double>() - total;
  return {text, fmt::format("{:.2f} %", total == 0 ? 0.0 : 100.0 * half_width / total)};
}

Table estimate_table(const Json& sampled) {
  Table table{"sampled",
              "counted: in every launch, skipped ones without time; -: no interval (docs/howto-sample.md).",
              {"metric", "estimate", "95 % interval, +-"},
              {},
              0};
  for (const char* name : kShown) {
    if (!sampled["metrics"].contains(name)) continue;
    const auto [total, width] = estimate_text(sampled["metrics"][name]);
    table.rows.push_back({name, total, width});
  }
  return table;
}

Table group_table(const Json& sampled) {
  constexpr std::size_t kMost = 12;
  Table table{"sampled groups", "", {"kernel", "grid x block", "launches", "measured", "cycles (estimate)", "95 % interval, +-"}, {}, 0};
  const Json& groups = sampled["groups"];
  for (std::size_t g = 0; g < std::min(groups.size(), kMost); ++g) {
    const Json& group = groups[g];
    const auto threads = [&](const char* name) {
      return group[name][0].get<std::uint64_t>() * group[name][1].get<std::uint64_t>() * group[name][2].get<std::uint64_t>();
    };
    const auto [cycles, width] = estimate_text(group["cycles"]);
    table.rows.push_back({group["kernel"].get<std::string>(), fmt::format("{} x {}", threads("grid"), threads("block")),
                          with_commas(group["launches"].get<std::uint64_t>()), with_commas(group["measured_launches"].get<std::uint64_t>()),
                          cycles, width});
  }
  if (groups.size() > kMost) table.note = fmt::format("and {} more groups in result.json", groups.size() - kMost);
  return table;
}

}  // namespace

Json sampled_result_json(const Json& inputs, const Measurement& measured, const SamplingPlan& plan, const char* size_unit,
                         const SkippedPart& skipped) {
  const LaunchResults results(measured, plan, skipped);
  const bool is_whole = !measured.partial && measured.failure.empty();
  Json json;
  json["inputs"] = inputs;
  json["inputs"]["sample"] = plan.per_group();
  json["partial"] = !is_whole;
  if (!measured.failure.empty()) json["failure"] = measured.failure;
  Json& sampled = json["sampled"] = shares_json(plan, size_unit);
  if (is_whole) {
    for (const std::string& metric : additive_metrics(measured.statistics)) sampled["metrics"][metric] = results.total(metric);
    add_derived(measured.statistics, sampled["metrics"]);
  }
  sampled["strata"] = strata_json(plan);
  sampled["groups"] = groups_json(plan, is_whole ? &results : nullptr);
  json["kernels"] = results.to_json();
  json["warnings"] = Json::array();
  for (const auto& [text, count] : measured.warnings) json["warnings"].push_back({{"text", text}, {"count", count}});
  return json;
}

Json estimates_of(const Json& result) {
  Json estimates = Json::object();
  for (const auto& [name, metric] : result["sampled"]["metrics"].items()) estimates[name] = metric["estimate"];
  return estimates;
}

double half_width_of_ratio(const Json& above, const Json& below, const char* metric) {
  const Json &one = above["sampled"], &other = below["sampled"];
  if (one["strata"] != other["strata"]) return std::numeric_limits<double>::quiet_NaN();
  const auto launches_of = [](const Json& result) {
    std::map<std::uint64_t, const Json*> launches;
    for (const Json& launch : result["kernels"]) launches[launch["launch"].get<std::uint64_t>()] = &launch;
    return launches;
  };
  const auto launches = launches_of(above), same_launches = launches_of(below);
  const auto total = other["metrics"][metric]["estimate"].get<double>();
  const double ratio = one["metrics"][metric]["estimate"].get<double>() / total;
  std::vector<SampledStratum> residuals;
  for (const Json& stratum : one["strata"]) {
    SampledStratum& sampled =
        residuals.emplace_back(SampledStratum{stratum["launches"].get<std::uint64_t>(), stratum["size"].get<double>(), {}});
    for (const Json& number : stratum["measured"]) {
      const Json& launch = *launches.at(number.get<std::uint64_t>());
      const Json& same_launch = *same_launches.at(number.get<std::uint64_t>());
      if (!has_equal_spans(launch, same_launch)) return std::numeric_limits<double>::quiet_NaN();
      sampled.drawn.push_back(member_of(launch, metric, &same_launch, ratio));
    }
  }
  return estimate_total(residuals).half_width / total;
}

std::string sampled_csv(const Measurement& measured, const Json& result) {
  std::string csv = "metric,unit,estimate,low,high\n";
  if (!result["sampled"].contains("metrics")) return csv;
  for (const auto& metric : measured.statistics.metrics()) {
    if (!result["sampled"]["metrics"].contains(metric.name)) continue;
    const Json& estimate = result["sampled"]["metrics"][metric.name];
    csv += fmt::format("{},{},{}", metric.name, config::name_of(metric.unit), estimate["estimate"].get<double>());
    csv += estimate.contains("low") ? fmt::format(",{},{}\n", estimate["low"].get<double>(), estimate["high"].get<double>()) : ",,\n";
  }
  return csv;
}

std::vector<Table> sampled_tables(const Json& result) {
  const Json& sampled = result["sampled"];
  if (!sampled.contains("metrics")) return {};
  return {estimate_table(sampled), group_table(sampled)};
}

std::string sampled_summary(const Json& result) {
  if (result["partial"].get<bool>()) return "sampled, but stopped before its end, so there is no estimate\n";
  const Json& sampled = result["sampled"];
  const auto in_part = sampled["launches_in_part"].get<std::size_t>();
  std::string text = fmt::format("sampled: {} of {} launches ran in detail{}, with {:.1f} % of {} {}; {} of them count\n",
                                 sampled["detailed_launches"].get<std::size_t>(), sampled["launches"].get<std::size_t>(),
                                 in_part == 0 ? "" : fmt::format(", {} in part", in_part), share(sampled["detailed_size"], sampled["size"]),
                                 with_commas(sampled["size"].get<std::uint64_t>()), sampled["size_unit"].get<std::string>(),
                                 sampled["measured_launches"].get<std::size_t>());
  for (const Table& table : sampled_tables(result)) text += "\n" + as_text(table);
  for (const Json& warning : result["warnings"])
    text += warning_line(warning["text"].get<std::string>(), warning["count"].get<std::uint64_t>()) + "\n";
  return text;
}

}  // namespace wharf::cli

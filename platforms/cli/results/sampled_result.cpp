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
#include "platforms/cli/results/sampled_estimates.h"
#include "platforms/cli/results/sampled_launches.h"
#include "stimuli/sampling/stratified_estimate.h"

namespace wharf::cli {
namespace {

constexpr const char* kShown[] = {"cycles",
                                  "warp_instructions",
                                  "l1.sectors.accesses",
                                  "l1.sectors.misses",
                                  "l2.sectors.accesses",
                                  "l2.sectors.misses",
                                  "dram.sectors.reads",
                                  "dram.sectors.writes"};

Json groups_json(const SamplingPlan& plan, const SampledEstimates* estimates) {
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
    if (estimates != nullptr) entry["cycles"] = estimates->cycles_of_group(g);
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

/// "1,234,567", and half the width of the interval, on its wider side: "2.10 %" of the estimate, or "-".
std::pair<std::string, std::string> estimate_text(const Json& metric) {
  const auto total = metric["estimate"].get<double>();
  const std::string text = with_commas(static_cast<std::uint64_t>(total + 0.5));
  if (!metric.contains("high")) return {text, "-"};
  const double half_width = std::max(metric["high"].get<double>() - total, total - metric["low"].get<double>());
  return {text, fmt::format("{:.2f} %", total == 0 ? 0.0 : 100.0 * half_width / total)};
}

Table estimate_table(const Json& sampled) {
  Table table{"sampled", "-: no interval (docs/howto-sample.md).", {"metric", "estimate", "95 % interval, +-"}, {}, 0};
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

/// The launches that ran in detail.
Json launches_json(const Measurement& measured, const SamplingPlan& plan, const SkippedPart& skipped) {
  Json launches = Json::array();
  const IntervalMetrics metrics(measured.statistics);
  const std::vector<std::size_t> numbers = plan.detailed();
  for (std::size_t i = 0; i < std::min(numbers.size(), measured.kernels.size()); ++i)
    launches.push_back(sampled_launch_json(plan, numbers[i], measured.kernels[i], skipped.work[numbers[i]], metrics));
  return launches;
}

}  // namespace

Json sampled_result_json(const Json& inputs, const Measurement& measured, const SamplingPlan& plan, const char* size_unit,
                         const SkippedPart& skipped) {
  Json json;
  json["inputs"] = inputs;
  json["inputs"]["sample"] = plan.per_group();
  const bool is_whole = !measured.partial && measured.failure.empty();
  json["partial"] = !is_whole;
  if (!measured.failure.empty()) json["failure"] = measured.failure;
  Json& sampled = json["sampled"] = shares_json(plan, size_unit);
  const Json launches = launches_json(measured, plan, skipped);
  std::optional<SampledEstimates> estimates;
  if (is_whole)
    sampled["metrics"] = estimates.emplace(plan, measured.statistics, launches, skipped.warms ? &skipped.work : nullptr).metrics();
  sampled["strata"] = strata_json(plan);
  sampled["groups"] = groups_json(plan, estimates ? &*estimates : nullptr);
  json["kernels"] = launches;
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
  const auto launches_of = [metric](const Json& result) {
    std::map<std::uint64_t, LaunchCounts> launches;
    for (const Json& launch : result["kernels"]) launches[launch["launch"].get<std::uint64_t>()] = counts_of(launch, {{metric, 0}});
    return launches;
  };
  const auto launches = launches_of(above), same_launches = launches_of(below);
  const auto total = other["metrics"][metric]["estimate"].get<double>();
  const LinearMetric residual = {{0, 1.0}, {1, -one["metrics"][metric]["estimate"].get<double>() / total}};
  std::vector<SampledStratum> residuals;
  for (const Json& stratum : one["strata"]) {
    SampledStratum& sampled =
        residuals.emplace_back(SampledStratum{stratum["launches"].get<std::uint64_t>(), stratum["size"].get<double>(), {}});
    for (const Json& number : stratum["measured"]) {
      const LaunchCounts& launch = launches.at(number.get<std::uint64_t>());
      const LaunchCounts& same_launch = same_launches.at(number.get<std::uint64_t>());
      if (!has_equal_spans(launch, same_launch)) return std::numeric_limits<double>::quiet_NaN();
      sampled.drawn.push_back(member_of(beside(launch, same_launch), residual));
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
  if (sampled["measured_launches"] == sampled["launches"] && in_part == 0)
    text += "all launches ran whole, because too few are alike, or long enough to run in part (docs/howto-sample.md)\n";
  for (const Table& table : sampled_tables(result)) text += "\n" + as_text(table);
  for (const Json& warning : result["warnings"])
    text += warning_line(warning["text"].get<std::string>(), warning["count"].get<std::uint64_t>()) + "\n";
  return text;
}

}  // namespace wharf::cli

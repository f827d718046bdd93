#include "platforms/cli/results/sampled_launches.h"

#include <algorithm>
#include <vector>

namespace wharf::cli {
namespace {

std::uint64_t instructions_of(const std::vector<SkippedWork>& skipped) {
  std::uint64_t instructions = 0;
  for (const SkippedWork& work : skipped) instructions += work.warp_instructions;
  return instructions;
}

Json spans_json(const CtaSpans& spans, const Interval& counted, const std::vector<SkippedWork>& skipped, const IntervalMetrics& metrics) {
  Json json = {{"count", spans.count()},
               {"ctas", spans.ctas_per_span()},
               {"skipped_warp_instructions", instructions_of(skipped)},
               {"detailed", Json::array()}};
  for (std::size_t i = 0; i < std::min(spans.detailed().size(), counted.spans.size()); ++i) {
    const CtaSpan& span = spans.detailed()[i];
    Json& entry = json["detailed"].emplace_back(Json{{"span", span.number + 1}, {"measured", span.measured}});
    metrics.add_to(entry, counted.spans[i]);
  }
  return json;
}

Counts read_counts(const Json& counted, const MetricPlaces& places) {
  Counts counts(places.size());
  std::size_t found = 0;
  for (const auto& [name, value] : counted.items()) {  // looking up each of hundreds of names would take the square of that time
    const auto place = places.find(name);
    if (place == places.end()) continue;
    counts[place->second] = value.get<double>();
    ++found;
  }
  if (found == places.size()) return counts;
  for (const auto& place : places) counted.at(place.first);  // throws
  return counts;
}

}  // namespace

Json sampled_launch_json(const SamplingPlan& plan, std::size_t launch, const Interval& counted, const std::vector<SkippedWork>& skipped,
                         const IntervalMetrics& metrics) {
  Json json;
  json["name"] = plan.launches()[launch].kernel;
  json["launch"] = launch + 1;
  json["measured"] = plan.role(launch) == LaunchRole::measured;
  json["size"] = plan.launches()[launch].size;
  if (const CtaSpans* spans = plan.spans(launch)) json["spans"] = spans_json(*spans, counted, skipped, metrics);
  metrics.add_to(json, counted);
  return json;
}

std::vector<std::uint64_t> executed_sizes(const SamplingPlan& plan, const Measurement& measured, const SkippedLaunches& skipped) {
  std::vector<std::uint64_t> sizes;
  for (const std::vector<SkippedWork>& work : skipped) sizes.push_back(instructions_of(work));
  const std::vector<std::size_t> detailed = plan.detailed();
  for (std::size_t i = 0; i < detailed.size(); ++i) {
    const Interval& counted = measured.kernels[i];
    sizes[detailed[i]] += stats::View(measured.statistics, counted.begin, counted.end).sum("sm.warp_instructions");
  }
  return sizes;
}

LaunchCounts counts_of(const Json& launch, const MetricPlaces& places) {
  LaunchCounts of;
  of.size = launch.at("size").get<double>();
  of.counts = read_counts(launch, places);
  if (!launch.contains("spans")) return of;
  of.warp_instructions = launch.at("warp_instructions").get<double>();
  const Json& spans = launch["spans"];
  of.spans = spans.at("count").get<std::uint64_t>();
  of.ctas_per_span = spans.at("ctas").get<std::uint64_t>();
  of.skipped_warp_instructions = spans.at("skipped_warp_instructions").get<double>();
  for (const Json& span : spans.at("detailed"))
    of.detailed.push_back({span.at("span").get<std::uint64_t>(), span.at("measured").get<bool>(),
                           span.at("warp_instructions").get<double>(), read_counts(span, places)});
  return of;
}

LaunchCounts beside(LaunchCounts launch, const LaunchCounts& other) {
  const auto append = [](Counts& counts, const Counts& more) { counts.insert(counts.end(), more.begin(), more.end()); };
  append(launch.counts, other.counts);
  for (std::size_t i = 0; i < launch.detailed.size(); ++i) append(launch.detailed[i].counts, other.detailed[i].counts);
  return launch;
}

bool has_equal_spans(const LaunchCounts& launch, const LaunchCounts& other) {
  const auto same = [](const LaunchCounts::Span& a, const LaunchCounts::Span& b) { return a.number == b.number; };
  return launch.spans == other.spans && launch.ctas_per_span == other.ctas_per_span &&
         std::equal(launch.detailed.begin(), launch.detailed.end(), other.detailed.begin(), other.detailed.end(), same);
}

double value_of(const Counts& counts, const LinearMetric& metric) {
  double value = 0;
  for (const auto& [place, factor] : metric) value += factor * counts[place];
  return value;
}

SampledMember member_of(const LaunchCounts& launch, const LinearMetric& metric) {
  if (launch.spans == 0) return {launch.size, value_of(launch.counts, metric)};
  SampledStratum first{1, 0, {}}, last{1, 0, {}}, between{launch.spans - 2, 0, {}};
  for (std::size_t i = 0; i < launch.detailed.size(); ++i) {
    const LaunchCounts::Span& span = launch.detailed[i];
    if (!span.measured) continue;
    SampledStratum& stratum = i == 0 ? first : i + 1 == launch.detailed.size() ? last : between;
    stratum.drawn.push_back({span.warp_instructions, value_of(span.counts, metric)});
  }
  first.size = first.drawn.front().size;
  last.size = last.drawn.front().size;
  between.size = launch.warp_instructions + launch.skipped_warp_instructions - first.size - last.size;
  const TotalEstimate estimate = estimate_total({first, between, last});
  return {launch.size, estimate.total, estimate.variance, estimate.freedom};
}

}  // namespace wharf::cli

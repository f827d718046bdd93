#include "platforms/cli/results/sampled_launches.h"

#include <algorithm>
#include <vector>

namespace wharf::cli {
namespace {

Json spans_json(const CtaSpans& spans, const Interval& counted, std::uint64_t skipped, const IntervalMetrics& metrics) {
  Json json = {
      {"count", spans.count()}, {"ctas", spans.ctas_per_span()}, {"skipped_warp_instructions", skipped}, {"detailed", Json::array()}};
  for (std::size_t i = 0; i < std::min(spans.detailed().size(), counted.spans.size()); ++i) {
    const CtaSpan& span = spans.detailed()[i];
    Json& entry = json["detailed"].emplace_back(Json{{"span", span.number + 1}, {"measured", span.measured}});
    metrics.add_to(entry, counted.spans[i]);
  }
  return json;
}

double figure(const Json& counted, const std::string& metric) { return counted.at(metric).get<double>(); }

}  // namespace

Json sampled_launch_json(const SamplingPlan& plan, std::size_t launch, const Interval& counted, std::uint64_t skipped,
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

SampledMember member_of(const Json& launch, const std::string& metric, const Json* elsewhere, double ratio) {
  const auto value = [&](const Json& counted, const Json* other) {
    return figure(counted, metric) - (other == nullptr ? 0 : ratio * figure(*other, metric));
  };
  if (!launch.contains("spans")) return {figure(launch, "size"), value(launch, elsewhere)};
  const Json& spans = launch["spans"]["detailed"];
  SampledStratum first{1, 0, {}}, last{1, 0, {}}, between{launch["spans"]["count"].get<std::uint64_t>() - 2, 0, {}};
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!spans[i]["measured"].get<bool>()) continue;
    SampledStratum& stratum = i == 0 ? first : i + 1 == spans.size() ? last : between;
    const Json* other = elsewhere == nullptr ? nullptr : &(*elsewhere)["spans"]["detailed"][i];
    stratum.drawn.push_back({figure(spans[i], "warp_instructions"), value(spans[i], other)});
  }
  first.size = first.drawn.front().size;
  last.size = last.drawn.front().size;
  between.size = figure(launch, "warp_instructions") + figure(launch["spans"], "skipped_warp_instructions") - first.size - last.size;
  const TotalEstimate estimate = estimate_total({first, between, last});
  return {figure(launch, "size"), estimate.total, estimate.variance, estimate.freedom};
}

bool has_equal_spans(const Json& launch, const Json& other) {
  const auto numbers = [](const Json& of) {
    std::vector<std::uint64_t> all;
    if (!of.contains("spans")) return all;
    all = {of["spans"]["count"].get<std::uint64_t>(), of["spans"]["ctas"].get<std::uint64_t>()};
    for (const Json& span : of["spans"]["detailed"]) all.push_back(span["span"].get<std::uint64_t>());
    return all;
  };
  return numbers(launch) == numbers(other);
}

}  // namespace wharf::cli

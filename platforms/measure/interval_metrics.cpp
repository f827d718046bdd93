#include "platforms/measure/interval_metrics.h"

#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "platforms/measure/metrics.h"

namespace wharf::cli {
namespace {

constexpr const char* kExact[] = {"cycles", "time_ns", "thread_instructions", "warp_instructions", "ipc"};

}  // namespace

Json number_or_null(double value) { return std::isnan(value) ? Json() : Json(value); }

IntervalMetrics::IntervalMetrics(const stats::Registry& statistics) : statistics_(statistics) {
  std::set<std::string_view> names(std::begin(kExact), std::end(kExact));
  for (const auto& metric : statistics.metrics()) names.insert(metric.name);
  for (const auto& entry : statistics.derived_metrics())
    if (names.insert(entry.name).second) derived_.push_back(&entry);
}

void IntervalMetrics::add_to(Json& json, const Interval& interval) const {
  const stats::View view(statistics_, interval.begin, interval.end);
  if (json.is_null()) json = Json::object();
  Json::object_t& members = json.get_ref<Json::object_t&>();
  // Appends without a lookup, because all names differ. Looking up each of hundreds of names would take longer than everything else.
  const auto add = [&members](const std::string& name, Json value) { members.push_back({name, std::move(value)}); };
  const std::uint64_t instructions = view.sum("sm.thread_instructions");
  const Json exact[] = {interval.cycles(), static_cast<double>(interval.duration()) / 1000.0, instructions,
                        view.sum("sm.warp_instructions"),
                        measure::ratio(static_cast<double>(instructions), static_cast<double>(interval.cycles()))};
  for (std::size_t i = 0; i < std::size(kExact); ++i) add(kExact[i], exact[i]);
  for (const auto& metric : statistics_.metrics()) add(metric.name, view.sum(metric.name));
  for (const auto* entry : derived_)
    if (const double value = entry->value(view); !std::isnan(value)) add(entry->name, value);
}

Json metrics_json(const stats::Registry& statistics, const Interval& interval) {
  Json json;
  IntervalMetrics(statistics).add_to(json, interval);
  return json;
}

}  // namespace wharf::cli

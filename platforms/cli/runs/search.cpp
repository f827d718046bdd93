#include "platforms/cli/runs/search.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/terminal/shell.h"

namespace wharf::cli {

bool is_open(const std::optional<config::Search>& search, const std::vector<std::string>& overrides) {
  return search && std::none_of(overrides.begin(), overrides.end(),
                                [&](const std::string& setting) { return setting.substr(0, setting.find('=')) == search->key; });
}

std::vector<RunSpec> candidates(const RunSpec& spec, const config::Search& search) {
  std::vector<RunSpec> specs(search.values.size(), spec);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (search.over_configurations()) {
      specs[i].config = search.values[i];
    } else {
      specs[i].overrides.push_back(search.key + '=' + search.values[i]);
    }
  }
  return specs;
}

RunRecord winner(const config::Search& search, const std::vector<const RunRecord*>& records, const std::string& workload) {
  std::size_t best = 0;
  double best_value = 0.0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RunRecord& record = *records[i];
    if (record.status == RunStatus::not_run) return {};
    std::string failure = record.failure;
    if (record.status == RunStatus::done) {
      const auto metric = record.result["run"].find(search.objective);
      if (metric == record.result["run"].end() || !metric->is_number()) {
        failure = fmt::format("it has no metric {}", quote(search.objective));
      } else {
        const double value = search.maximise ? metric->get<double>() : -metric->get<double>();
        if (i == 0 || value > best_value || (value == best_value && search.tie == "last")) {
          best = i;
          best_value = value;
        }
      }
    }
    if (!failure.empty()) return {RunStatus::failed, {}, fmt::format("{} {}: {}", search.key, search.values[i], failure), {}};
  }
  RunRecord record = *records[best];
  record.chosen = search.values[best];
  for (const auto& [of, value] : search.published)
    if (of == workload) record.published = value;
  return record;
}

Configuration closed_configuration_of(const RunSpec& spec) {
  Configuration configuration = configuration_of(spec);
  if (!is_open(configuration.search, spec.overrides)) return configuration;
  const config::Search& search = *configuration.search;
  const std::string choice = search.over_configurations() ? fmt::format("name one of {}", join(search.values))
                                                          : fmt::format("set {0}, as in --set {0}={1}", search.key, search.values.front());
  throw InputError(fmt::format("{} means the best of several runs: `{}` runs them; for a single run {}", spec.config,
                               offered_command({"compare", spec.config}), choice));
}

}  // namespace wharf::cli

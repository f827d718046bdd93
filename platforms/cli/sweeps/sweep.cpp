#include "platforms/cli/sweeps/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "platforms/cli/sweeps/comparison.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace {

constexpr std::size_t kMostColumns = 8;
double value_of(const RunRecord& record, const std::string& metric) {
  if (record.status != RunStatus::done) return kMissing;
  const Json& run = record.result["run"];
  return run.contains(metric) && run[metric].is_number() ? run[metric].get<double>() : kMissing;
}

/// The 95 % interval of a sampled metric; NaN where it has none.
struct MetricInterval {
  double low = kMissing, high = kMissing;
};
MetricInterval interval_of(const RunRecord& record, const std::string& metric) {
  if (std::isnan(value_of(record, metric)) || !record.result.contains("sampled")) return {};
  const Json& estimates = record.result["sampled"]["metrics"];
  if (!estimates.contains(metric) || !estimates[metric].contains("low")) return {};
  return {estimates[metric]["low"].get<double>(), estimates[metric]["high"].get<double>()};
}

/// CM-35: metrics that enter ratios of performance, energy or power have a geometric mean, all others an arithmetic one.
bool is_geometric(const std::string& metric) {
  if (metric == "ipc" || metric == "cycles" || metric == "time_ns") return true;
  return metric.rfind("energy.", 0) == 0 || metric.rfind("power.", 0) == 0;
}

std::string digits_of(double value) {
  if (std::isnan(value)) return "-";
  if (value == std::floor(value) && std::fabs(value) < 1e15) return fmt::format("{:.0f}", value);
  return std::fabs(value) < 1000.0 ? fmt::format("{:.4g}", value) : fmt::format("{:.1f}", value);
}

/// " +-12": half the interval of a sampled metric, on its wider side; "" where it has none.
std::string half_width_text(double value, const MetricInterval& interval) {
  const double half = std::max(interval.high - value, value - interval.low);
  return std::isnan(half) ? std::string() : " +-" + digits_of(half);
}

std::string number_cell(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

/// The choice of a search, and its source's. A table shows only the last part of a configuration's name.
std::string found(const RunRecord& record) {
  if (record.chosen.empty()) return {};
  const std::string chosen = record.chosen.substr(record.chosen.rfind('/') + 1);
  return " (" + chosen + (record.published.empty() ? ")" : ", published " + record.published + ")");
}

const double* published_figure(const SweepLine& line, const std::string& metric) {
  for (const auto& [name, figure] : line.published)
    if (name == metric) return &figure;
  return nullptr;
}

/// The published value of a point, and the deviation from it.
std::string departure(double value, const double* published) {
  return published == nullptr || std::isnan(value) ? std::string()
                                                   : fmt::format(" ({:.4g}, {:+.1f} %)", *published, 100 * (value / *published - 1));
}

std::string value_set(const SweepLine& line, const std::string& key) {
  for (const std::string& setting : line.overrides) {
    if (setting.compare(0, key.size() + 1, key + '=') == 0) return setting.substr(key.size() + 1);
  }
  return {};
}

/// A search is named after its configuration; a search over configurations has the name already.
std::string name_of(const SweepLine& line) {
  return line.search_name.empty() || line.search_name == line.config ? line.config : line.config + ' ' + line.search_name;
}

const char* status_name(RunStatus status) {
  if (status == RunStatus::not_run) return "missing";
  return status == RunStatus::done ? "done" : "failed";
}

Table metric_table(const Sweep& sweep, const std::string& metric) {
  const SweepSpec& spec = sweep.spec;
  const bool geometric = is_geometric(metric), all = spec.stimuli.size() <= kMostColumns;
  Table table{metric, "", {"configuration"}, {}, 0};
  table.columns.insert(table.columns.end(), spec.keys.begin(), spec.keys.end());
  const std::vector<std::string> names = short_names(spec.stimuli);
  if (all) table.columns.insert(table.columns.end(), names.begin(), names.end());
  if (spec.stimuli.size() > 1) table.columns.push_back(geometric ? "geometric mean" : "mean");
  for (std::size_t i = 0; i < spec.lines.size(); ++i) {
    const SweepLine& line = spec.lines[i];
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name_of(line)});
    for (const std::string& key : spec.keys) row.push_back(value_set(line, key));
    std::vector<double> values;
    for (std::size_t stimulus = 0; stimulus < spec.stimuli.size(); ++stimulus) {
      const RunRecord& record = sweep.record(i, stimulus);
      values.push_back(value_of(record, metric));
      const std::string spread = spec.sample == 0 ? std::string() : half_width_text(values.back(), interval_of(record, metric));
      if (all) row.push_back(digits_of(values.back()) + spread + found(record) + departure(values.back(), published_figure(line, metric)));
    }
    if (values.size() == 1) continue;
    // A mean over part of the stimuli would not be comparable with the others.
    const bool complete = std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
    row.push_back(digits_of(!complete ? kMissing : geometric ? geometric_mean(values) : arithmetic_mean(values)));
  }
  return table;
}

}  // namespace

std::vector<Table> sweep_tables(const Sweep& sweep) {
  std::vector<Table> tables;
  for (const std::string& metric : sweep.spec.metrics) {
    tables.push_back(metric_table(sweep, metric));
    if (sweep.spec.sample != 0) tables.back().note = "Estimates of a sample; +-: half the 95 % interval (docs/howto-sample.md).";
  }
  return tables;
}

std::vector<std::string> sweep_failures(const Sweep& sweep) {
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < sweep.spec.lines.size(); ++i) {
    const SweepLine& line = sweep.spec.lines[i];
    std::string name = name_of(line);
    for (const std::string& setting : line.overrides) name += ' ' + setting;
    for (std::size_t stimulus = 0; stimulus < sweep.spec.stimuli.size(); ++stimulus) {
      const RunRecord& record = sweep.record(i, stimulus);
      if (record.status == RunStatus::failed)
        failures.push_back(fmt::format("{} {}: {}", name, sweep.spec.stimuli[stimulus], record.failure));
    }
  }
  return failures;
}

Json sweep_json(const Sweep& sweep) {
  Json json;
  json["description"] = sweep.spec.description;
  json["stimuli"] = sweep.spec.stimuli;
  json["metrics"] = sweep.spec.metrics;
  if (sweep.spec.sample != 0) json["sample"] = sweep.spec.sample;
  if (sweep.spec.sample_error != 0) json["sample_error"] = sweep.spec.sample_error;
  json["runs"] = Json::array();
  for (std::size_t i = 0; i < sweep.spec.lines.size(); ++i) {
    const SweepLine& line = sweep.spec.lines[i];
    for (std::size_t stimulus = 0; stimulus < sweep.spec.stimuli.size(); ++stimulus) {
      const RunRecord& record = sweep.record(i, stimulus);
      Json run = {{"config", line.config}, {"set", Json::object()}, {"stimulus", sweep.spec.stimuli[stimulus]}};
      for (const std::string& key : sweep.spec.keys) run["set"][key] = value_set(line, key);
      if (line.search) run["search"] = line.search_name;
      if (!record.chosen.empty()) run["chosen"] = record.chosen;
      if (!record.published.empty()) run["published"] = record.published;
      for (const auto& [metric, figure] : line.published) run["published_metrics"][metric] = figure;
      run["status"] = status_name(record.status);
      if (!record.failure.empty()) run["failure"] = record.failure;
      if (sweep.spec.sample_error != 0 && record.status == RunStatus::done) run["sample"] = record.result["inputs"]["sample"];
      run["run"] = record.status == RunStatus::done ? record.result["run"] : Json();
      if (sweep.spec.sample != 0 && record.status == RunStatus::done)
        for (const std::string& metric : sweep.spec.metrics)
          if (const MetricInterval interval = interval_of(record, metric); !std::isnan(interval.low))
            run["intervals"][metric] = {interval.low, interval.high};
      json["runs"].push_back(std::move(run));
    }
  }
  return json;
}

std::string sweep_csv(const Sweep& sweep) {
  std::string csv = "config";
  for (const std::string& key : sweep.spec.keys) csv += ',' + csv_cell(key);
  csv += ",stimulus,search,chosen,published,status";
  for (const std::string& metric : sweep.spec.metrics) {
    csv += ',' + csv_cell(metric);
    if (sweep.spec.sample != 0) csv += ',' + csv_cell(metric + " low") + ',' + csv_cell(metric + " high");
  }
  csv += '\n';
  for (std::size_t i = 0; i < sweep.spec.lines.size(); ++i) {
    const SweepLine& line = sweep.spec.lines[i];
    for (std::size_t stimulus = 0; stimulus < sweep.spec.stimuli.size(); ++stimulus) {
      const RunRecord& record = sweep.record(i, stimulus);
      csv += csv_cell(line.config);
      for (const std::string& key : sweep.spec.keys) csv += ',' + csv_cell(value_set(line, key));
      csv += ',' + csv_cell(sweep.spec.stimuli[stimulus]) + ',' + csv_cell(line.search_name) + ',' + csv_cell(record.chosen) + ',' +
             csv_cell(record.published) + ',' + status_name(record.status);
      for (const std::string& metric : sweep.spec.metrics) {
        csv += ',' + number_cell(value_of(record, metric));
        if (sweep.spec.sample == 0) continue;
        const MetricInterval interval = interval_of(record, metric);
        csv += ',' + number_cell(interval.low) + ',' + number_cell(interval.high);
      }
      csv += '\n';
    }
  }
  return csv;
}

}  // namespace wharf::cli

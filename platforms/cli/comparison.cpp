#include "platforms/cli/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wharf::cli {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kMissRate = "l1.miss_rate";
constexpr const char* kReplication = "inter_core_locality";

double metric(const Json* run, const char* name) {
  return run == nullptr || !run->contains(name) || !(*run)[name].is_number() ? kMissing : (*run)[name].get<double>();
}

std::string figure(double value, const char* format) { return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value); }
std::string percentage(double value) { return std::isnan(value) ? "-" : fmt::format("{:.1f} %", value * 100.0); }

Json number_or_null(double value) { return std::isnan(value) ? Json() : Json(value); }

std::vector<double> known(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }), values.end());
  return values;
}

template <class Value>
std::vector<double> over_stimuli(const Comparison& comparison, const Value& value) {
  std::vector<double> values;
  for (const std::string& stimulus : comparison.stimuli) values.push_back(value(stimulus));
  return known(values);
}

std::vector<std::string> others(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::string& config : comparison.configs) {
    if (config != comparison.baseline) names.push_back(config);
  }
  return names;
}

/// A row a stimulus, a column a configuration, the mean under them.
template <class Value, class Show>
Table metric_table(const Comparison& comparison, const std::string& title, const char* note, bool geometric, const Value& value,
                   const Show& show) {
  Table table{title, note, {"stimulus"}, {}, 1};
  table.columns.insert(table.columns.end(), comparison.configs.begin(), comparison.configs.end());
  for (const std::string& stimulus : comparison.stimuli) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{stimulus});
    for (const std::string& config : comparison.configs) row.push_back(show(value(config, stimulus)));
  }
  std::vector<std::string>& mean = table.rows.emplace_back(std::vector<std::string>{geometric ? "geometric mean" : "arithmetic mean"});
  for (const std::string& config : comparison.configs) {
    const auto values = over_stimuli(comparison, [&](const std::string& stimulus) { return value(config, stimulus); });
    mean.push_back(show(geometric ? geometric_mean(values) : arithmetic_mean(values)));
  }
  return table;
}

}  // namespace

double arithmetic_mean(const std::vector<double>& values) {
  return values.empty() ? kMissing : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return kMissing;
  double logarithms = 0.0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

const Json* Comparison::find(const std::string& config, const std::string& stimulus) const {
  for (const Outcome& outcome : outcomes) {
    if (outcome.config == config && outcome.stimulus == stimulus) return outcome.run.is_null() ? nullptr : &outcome.run;
  }
  return nullptr;
}

double Comparison::speed_up(const std::string& config, const std::string& stimulus) const {
  const Json *reference = find(baseline, stimulus), *run = find(config, stimulus);
  const double reference_ns = metric(reference, "time_ns"), ns = metric(run, "time_ns");
  const bool same_work = metric(reference, "thread_instructions") == metric(run, "thread_instructions");
  return same_work && reference_ns > 0.0 && ns > 0.0 ? reference_ns / ns : kMissing;
}

Table headline_table(const Comparison& comparison) {
  Table table;
  table.title = fmt::format("{}: L1 miss rate, replication ratio, IPC, and the speed-up of the others over it", comparison.baseline);
  table.note =
      "L1 miss rate: primary misses of loads by looked-up loads. "
      "Replication ratio: share of the primary misses whose line another L1 held. "
      "Speed-up: time of the baseline by time at equal work. Means: geometric for IPC and speed-up, arithmetic for the other two.";
  table.mean_rows = 1;
  table.columns = {"stimulus", "L1 miss rate", "replication", "IPC"};
  for (const std::string& config : others(comparison)) table.columns.push_back(config);
  for (const std::string& stimulus : comparison.stimuli) {
    const Json* run = comparison.find(comparison.baseline, stimulus);
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{
        stimulus, percentage(metric(run, kMissRate)), figure(metric(run, kReplication), "{:.3f}"), figure(metric(run, "ipc"), "{:.1f}")});
    for (const std::string& config : others(comparison)) row.push_back(figure(comparison.speed_up(config, stimulus), "{:.3f}x"));
  }
  const auto baseline_values = [&](const char* name) {
    return over_stimuli(comparison,
                        [&](const std::string& stimulus) { return metric(comparison.find(comparison.baseline, stimulus), name); });
  };
  std::vector<std::string>& mean = table.rows.emplace_back(std::vector<std::string>{
      "mean", percentage(arithmetic_mean(baseline_values(kMissRate))), figure(arithmetic_mean(baseline_values(kReplication)), "{:.3f}"),
      figure(geometric_mean(baseline_values("ipc")), "{:.1f}")});
  for (const std::string& config : others(comparison)) {
    const auto values = over_stimuli(comparison, [&](const std::string& stimulus) { return comparison.speed_up(config, stimulus); });
    mean.push_back(figure(geometric_mean(values), "{:.3f}x"));
  }
  return table;
}

std::vector<Table> detail_tables(const Comparison& comparison) {
  const auto of = [&](const char* name) {
    return [&comparison, name](const std::string& config, const std::string& stimulus) {
      return metric(comparison.find(config, stimulus), name);
    };
  };
  const auto plain = [](const char* format) { return [format](double value) { return figure(value, format); }; };
  return {
      metric_table(comparison, "L1 miss rate", "", false, of(kMissRate), percentage),
      metric_table(comparison, "Replication ratio", "", false, of(kReplication), plain("{:.3f}")),
      metric_table(comparison, "IPC", "Thread instructions a core cycle.", true, of("ipc"), plain("{:.1f}")),
      metric_table(
          comparison, fmt::format("Speed-up over {}", comparison.baseline), "", true,
          [&](const std::string& config, const std::string& stimulus) { return comparison.speed_up(config, stimulus); }, plain("{:.3f}")),
      metric_table(comparison, "Cycles", "Core cycles.", true, of("cycles"), plain("{:.0f}")),
  };
}

Json comparison_json(const Comparison& comparison) {
  Json json;
  json["baseline"] = comparison.baseline;
  json["configs"] = comparison.configs;
  json["stimuli"] = comparison.stimuli;
  json["runs"] = Json::array();
  for (const Outcome& outcome : comparison.outcomes) {
    Json run = {{"config", outcome.config}, {"stimulus", outcome.stimulus}};
    run["speed_up"] = number_or_null(comparison.speed_up(outcome.config, outcome.stimulus));
    if (!outcome.chosen.empty()) run["chosen"] = outcome.chosen;
    run["run"] = outcome.run;
    if (!outcome.failure.empty()) run["failure"] = outcome.failure;
    json["runs"].push_back(std::move(run));
  }
  json["means"] = Json::object();
  for (const std::string& config : comparison.configs) {
    const auto all = [&](const char* name) {
      return over_stimuli(comparison, [&](const std::string& stimulus) { return metric(comparison.find(config, stimulus), name); });
    };
    const auto speed_ups = over_stimuli(comparison, [&](const std::string& stimulus) { return comparison.speed_up(config, stimulus); });
    json["means"][config] = {{"speed_up_geometric", number_or_null(geometric_mean(speed_ups))},
                             {"speed_up_arithmetic", number_or_null(arithmetic_mean(speed_ups))},
                             {"ipc_geometric", number_or_null(geometric_mean(all("ipc")))},
                             {"l1.miss_rate", number_or_null(arithmetic_mean(all(kMissRate)))},
                             {"inter_core_locality", number_or_null(arithmetic_mean(all(kReplication)))}};
  }
  return json;
}

std::string comparison_csv(const Comparison& comparison) {
  std::string csv = "config,stimulus,cycles,time_ns,thread_instructions,ipc,l1.miss_rate,inter_core_locality,speed_up\n";
  const auto cell = [](double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); };
  for (const Outcome& outcome : comparison.outcomes) {
    const Json* run = outcome.run.is_null() ? nullptr : &outcome.run;
    csv += csv_cell(outcome.config) + ',' + csv_cell(outcome.stimulus);
    for (const char* name : {"cycles", "time_ns", "thread_instructions", "ipc", kMissRate, kReplication})
      csv += ',' + cell(metric(run, name));
    csv += ',' + cell(comparison.speed_up(outcome.config, outcome.stimulus)) + '\n';
  }
  return csv;
}

std::string report_html(const std::string& title, const std::string& introduction, const std::vector<Table>& tables) {
  constexpr const char* kStyle =
      ":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d5dae0;--soft:#f3f5f8}"
      "@media(prefers-color-scheme:dark){:root{--ink:#e4e8ed;--paper:#15181c;--line:#3a424c;--soft:#1f242a}}"
      "*{box-sizing:border-box}body{margin:0 auto;max-width:75rem;padding:1rem;font:1rem/1.5 "
      "system-ui,sans-serif;color:var(--ink);background:var(--paper);"
      "overflow-wrap:anywhere}h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.1rem;margin:2rem 0 .5rem}"
      ".scroll{overflow-x:auto;border:1px solid "
      "var(--line);border-radius:.3rem}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
      "th,td{padding:.35rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line);font-weight:normal}"
      "thead "
      "th{background:var(--soft);font-weight:600}th:first-child{text-align:left;position:sticky;left:0;min-width:6rem;max-width:45vw;white-"
      "space:normal;background:var(--paper)}"
      "thead th:first-child{background:var(--soft)}tr.mean th,tr.mean td{font-weight:600;border-top:2px solid var(--line)}"
      "tbody tr:last-child>*{border-bottom:0}section>p{font-size:.875rem}";
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      "<title>{0}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      escape_html(title), kStyle, escape_html(introduction));
  for (const Table& table : tables) html += as_html(table);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace wharf::cli

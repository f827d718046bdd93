#include "platforms/cli/sweeps/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "platforms/cli/results/sampled_result.h"
#include "platforms/cli/sweeps/combination.h"
#include "stimuli/catalogue.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace {

constexpr const char* kMissRate = "l1.miss_rate";
constexpr const char* kLatency = "l1.latency";
constexpr const char* kReplication = "inter_core_locality";

double metric(const Json* run, const char* name) {
  return run == nullptr || !run->contains(name) || !(*run)[name].is_number() ? kMissing : (*run)[name].get<double>();
}

std::string figure(double value, const char* format) { return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value); }
std::string percentage(double value) { return std::isnan(value) ? "-" : fmt::format("{:.1f} %", value * 100.0); }

std::vector<std::string> others(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::string& config : comparison.configs) {
    if (config != comparison.baseline) names.push_back(config);
  }
  return names;
}

/// One row per stimulus, one column per configuration, followed by the means.
Table metric_table(const Comparison& comparison, const std::string& title, const char* note, const std::vector<Mean>& means,
                   const ValueOf& value, const std::function<std::string(double)>& show) {
  Table table{fmt::format("{} compared with {}", title, comparison.baseline), note, {"stimulus"}, {}, means.size()};
  table.columns.insert(table.columns.end(), comparison.configs.begin(), comparison.configs.end());
  for (const std::string& stimulus : comparison.stimuli) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{comparison.shown(stimulus)});
    for (const std::string& config : comparison.configs) row.push_back(show(value(config, stimulus)));
  }
  for (const Mean mean : means) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name_of(mean)});
    for (const std::string& config : comparison.configs) row.push_back(show(mean_over_stimuli(comparison, config, value, mean)));
  }
  return table;
}

/// The values of one metric.
ValueOf of(const Comparison& comparison, const char* name) {
  return [&comparison, name](const std::string& config, const std::string& stimulus) { return comparison.value(config, stimulus, name); };
}

/// The values of one ratio to the baseline.
ValueOf ratios(const Comparison& comparison, double (Comparison::*ratio)(const std::string&, const std::string&) const) {
  return [&comparison, ratio](const std::string& config, const std::string& stimulus) { return (comparison.*ratio)(config, stimulus); };
}

struct Ratio {
  const char *name, *title, *note;
  double (Comparison::*value)(const std::string&, const std::string&) const;
};
constexpr Ratio kRatios[] = {
    {"speed_up", "Speed-up", "Baseline time / time, at equal work.", &Comparison::speed_up},
    {"perf_per_watt", "Performance per watt", "Speed-up / ratio of the chip's mean power.", &Comparison::per_watt},
    {"perf_per_energy", "Performance per joule", "Speed-up / ratio of the chip's energy.", &Comparison::per_energy},
};

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

const char* name_of(Mean mean) { return mean == Mean::geometric ? "geometric mean" : "arithmetic mean"; }

double mean_over_stimuli(const Comparison& comparison, const std::string& config, const ValueOf& value, Mean mean) {
  std::vector<double> known;
  for (const std::string& stimulus : comparison.stimuli) {
    const double one = value(config, stimulus);
    if (mean == Mean::geometric ? one > 0.0 : !std::isnan(one)) known.push_back(one);
  }
  return mean == Mean::geometric ? geometric_mean(known) : arithmetic_mean(known);
}

std::string Comparison::shown(const std::string& stimulus) const {
  const auto place = std::find(stimuli.begin(), stimuli.end(), stimulus) - stimuli.begin();
  return short_names(stimuli)[static_cast<std::size_t>(place)];
}

const Outcome* Comparison::outcome(const std::string& config, const std::string& stimulus) const {
  const auto found =
      std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return o.config == config && o.stimulus == stimulus; });
  return found == outcomes.end() ? nullptr : &*found;
}

const Json* Comparison::find(const std::string& config, const std::string& stimulus) const {
  const Outcome* found = outcome(config, stimulus);
  return found == nullptr || found->run.is_null() ? nullptr : &found->run;
}

double Comparison::value(const std::string& config, const std::string& stimulus, const std::string& name) const {
  return metric(find(config, stimulus), name.c_str());
}

double Comparison::relative(const std::string& config, const std::string& stimulus, const std::string& name) const {
  const double reference = value(baseline, stimulus, name);
  return reference > 0.0 ? value(config, stimulus, name) / reference : kMissing;
}

bool Comparison::same_work(const std::string& config, const std::string& stimulus) const {
  const Outcome *one = outcome(config, stimulus), *other = outcome(baseline, stimulus);
  if (one != nullptr && other != nullptr && !one->sample.is_null() && !other->sample.is_null()) {
    const Json &sampled = one->sample["sampled"], &of_baseline = other->sample["sampled"];
    return sampled["launches"] == of_baseline["launches"] && sampled["size"] == of_baseline["size"];
  }
  // A limit ends a run within one cycle, possibly with different warps and lanes on other machines.
  const bool limited = is_recorded_name(stimulus) ? limit_of_recorded(stimulus) != kNever : without_limit(stimulus) != stimulus;
  const char* work = limited ? "warp_instructions" : "thread_instructions";
  constexpr double kMostUnequalWork = 0.01;
  const double reference = value(baseline, stimulus, work), difference = std::abs(value(config, stimulus, work) - reference);
  return difference <= (limited ? kMostUnequalWork * reference : 0.0);
}

double Comparison::speed_up(const std::string& config, const std::string& stimulus) const {
  const Json *reference = find(baseline, stimulus), *run = find(config, stimulus);
  const double reference_ns = metric(reference, "time_ns"), ns = metric(run, "time_ns");
  return same_work(config, stimulus) && reference_ns > 0.0 && ns > 0.0 ? reference_ns / ns : kMissing;
}

double Comparison::speed_up_half_width(const std::string& config, const std::string& stimulus) const {
  const Outcome *reference = outcome(baseline, stimulus), *other = outcome(config, stimulus);
  if (std::isnan(speed_up(config, stimulus)) || reference->sample.is_null() || other->sample.is_null()) return kMissing;
  return half_width_of_ratio(reference->sample, other->sample, "time_ns");
}

double Comparison::per_watt(const std::string& config, const std::string& stimulus) const {
  return speed_up(config, stimulus) / relative(config, stimulus, "power.total");
}

double Comparison::per_energy(const std::string& config, const std::string& stimulus) const {
  return speed_up(config, stimulus) / relative(config, stimulus, "energy.total");
}

double Comparison::energy(const std::string& config, const std::string& stimulus) const {
  return same_work(config, stimulus) ? relative(config, stimulus, "energy.total") : kMissing;
}

double Comparison::noc_bytes(const std::string& config, const std::string& stimulus) const {
  return same_work(config, stimulus) ? relative(config, stimulus, "net.bytes") : kMissing;
}

double Comparison::dram_bytes(const std::string& config, const std::string& stimulus) const {
  const auto sectors = [&](const std::string& of) {
    return value(of, stimulus, "dram.sectors.reads") + value(of, stimulus, "dram.sectors.writes");
  };
  const double reference = sectors(baseline);
  return same_work(config, stimulus) && reference > 0.0 ? sectors(config) / reference : kMissing;
}

std::vector<std::string> Comparison::parts_of(const std::string& config) const {
  const auto found = std::find_if(combinations.begin(), combinations.end(), [&](const Combination& c) { return c.config == config; });
  return found == combinations.end() ? std::vector<std::string>() : found->alone;
}

double Comparison::over_product(double (Comparison::*effect)(const std::string&, const std::string&) const, const std::string& config,
                                const std::string& stimulus) const {
  const std::vector<std::string> parts = parts_of(config);
  if (parts.empty()) return kMissing;
  double product = 1.0;
  for (const std::string& part : parts) product *= (this->*effect)(part, stimulus);
  return (this->*effect)(config, stimulus) / product;
}

Table headline_table(const Comparison& comparison) {
  Table table;
  table.title = fmt::format("{}: L1 miss rate, replication ratio, IPC; for the others also speed-up, performance per watt and per joule",
                            comparison.baseline);
  table.note =
      "L1 miss rate: primary misses of loads / looked-up loads. "
      "Replication ratio: share of the primary misses whose line another L1 held. "
      "Speed-up: baseline time / time, at equal work; perf/W and perf/J: speed-up / ratio of the chip's power or energy. "
      "Means: geometric for IPC and ratios to the baseline, arithmetic for the other two.";
  table.mean_rows = 1;
  table.columns = {"stimulus", "L1 miss rate", "replication", "IPC"};
  for (const std::string& config : others(comparison)) table.columns.insert(table.columns.end(), {config, "perf/W", "perf/J"});
  for (const std::string& stimulus : comparison.stimuli) {
    const Json* run = comparison.find(comparison.baseline, stimulus);
    std::vector<std::string>& row = table.rows.emplace_back(
        std::vector<std::string>{comparison.shown(stimulus), percentage(metric(run, kMissRate)),
                                 figure(metric(run, kReplication), "{:.3f}"), figure(metric(run, "ipc"), "{:.1f}")});
    for (const std::string& config : others(comparison)) {
      for (const Ratio& ratio : kRatios) row.push_back(figure((comparison.*ratio.value)(config, stimulus), "{:.3f}x"));
      if (const double half = comparison.speed_up_half_width(config, stimulus); !std::isnan(half))
        row[row.size() - std::size(kRatios)] += fmt::format(" +-{:.3f}", half);
    }
  }
  const auto mean_of = [&](const std::string& config, const ValueOf& value, Mean mean) {
    return mean_over_stimuli(comparison, config, value, mean);
  };
  const std::string& base = comparison.baseline;
  std::vector<std::string>& mean =
      table.rows.emplace_back(std::vector<std::string>{"mean", percentage(mean_of(base, of(comparison, kMissRate), Mean::arithmetic)),
                                                       figure(mean_of(base, of(comparison, kReplication), Mean::arithmetic), "{:.3f}"),
                                                       figure(mean_of(base, of(comparison, "ipc"), Mean::geometric), "{:.1f}")});
  for (const std::string& config : others(comparison)) {
    for (const Ratio& ratio : kRatios) mean.push_back(figure(mean_of(config, ratios(comparison, ratio.value), Mean::geometric), "{:.3f}x"));
  }
  return table;
}

Table chosen_table(const Comparison& comparison) {
  Table table{
      "Found by searches", "Values that a search found by runs; in brackets the value that the source publishes.", {"stimulus"}, {}, 0};
  std::vector<std::string> searching;
  for (const std::string& config : comparison.configs)
    if (std::any_of(comparison.outcomes.begin(), comparison.outcomes.end(),
                    [&](const Outcome& o) { return o.config == config && !o.chosen.empty(); }))
      searching.push_back(config);
  table.columns.insert(table.columns.end(), searching.begin(), searching.end());
  for (std::size_t i = 0; !searching.empty() && i < comparison.stimuli.size(); ++i) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{comparison.shown(comparison.stimuli[i])});
    for (const std::string& config : searching) {
      const Outcome* outcome = comparison.outcome(config, comparison.stimuli[i]);
      const bool known = outcome != nullptr && !outcome->chosen.empty();
      row.push_back(!known ? "-" : outcome->chosen + (outcome->published.empty() ? "" : " (" + outcome->published + ")"));
    }
  }
  return table;
}

std::vector<Table> detail_tables(const Comparison& comparison) {
  const auto plain = [](const char* format) { return [format](double value) { return figure(value, format); }; };
  const std::vector<Mean> geometric = {Mean::geometric}, arithmetic = {Mean::arithmetic};
  std::vector<Table> tables;
  for (const Ratio& ratio : kRatios)
    tables.push_back(metric_table(comparison, ratio.title, ratio.note, {Mean::geometric, Mean::arithmetic}, ratios(comparison, ratio.value),
                                  plain("{:.3f}")));
  const std::vector<Table> others = {
      metric_table(comparison, "IPC", "Thread instructions per core cycle.", geometric, of(comparison, "ipc"), plain("{:.1f}")),
      metric_table(comparison, "L1 latency", "Core cycles from a load's first acceptance to its last completion in the L1 caches.",
                   arithmetic, of(comparison, kLatency), plain("{:.1f}")),
      metric_table(comparison, "L1 miss rate", "", arithmetic, of(comparison, kMissRate), percentage),
      metric_table(comparison, "Replication ratio", "", arithmetic, of(comparison, kReplication), plain("{:.3f}")),
      metric_table(comparison, "Cycles", "Core cycles.", geometric, of(comparison, "cycles"), plain("{:.0f}")),
      metric_table(comparison, "Power", "Mean power of the chip in W; only ratios are meaningful (common section 14).", geometric,
                   of(comparison, "power.total"), plain("{:.1f}")),
      metric_table(comparison, "Energy", "Energy of the chip in nJ; only ratios are meaningful.", geometric, of(comparison, "energy.total"),
                   plain("{:.4g}")),
  };
  tables.insert(tables.end(), others.begin(), others.end());
  return tables;
}

namespace {

void add_runs(const Comparison& comparison, Json& json) {
  for (const Outcome& outcome : comparison.outcomes) {
    Json run = {{"config", outcome.config}, {"stimulus", outcome.stimulus}};
    for (const Ratio& ratio : kRatios) run[ratio.name] = number_or_null((comparison.*ratio.value)(outcome.config, outcome.stimulus));
    if (!outcome.sample.is_null())
      run["speed_up_half_width"] = number_or_null(comparison.speed_up_half_width(outcome.config, outcome.stimulus));
    if (!outcome.chosen.empty()) run["chosen"] = outcome.chosen;
    if (!outcome.published.empty()) run["published"] = outcome.published;
    if (!comparison.parts_of(outcome.config).empty())
      run["speed_up_by_product"] = number_or_null(comparison.over_product(&Comparison::speed_up, outcome.config, outcome.stimulus));
    if (!outcome.warnings.empty()) run["warnings"] = outcome.warnings;
    run["run"] = outcome.run;
    if (!outcome.failure.empty()) run["failure"] = outcome.failure;
    json["runs"].push_back(std::move(run));
  }
}

void add_means(const Comparison& comparison, Json& json) {
  for (const std::string& config : comparison.configs) {
    const auto mean = [&](const ValueOf& value, Mean kind) { return number_or_null(mean_over_stimuli(comparison, config, value, kind)); };
    json["means"][config] = {{"ipc_geometric", mean(of(comparison, "ipc"), Mean::geometric)},
                             {kLatency, mean(of(comparison, kLatency), Mean::arithmetic)},
                             {kMissRate, mean(of(comparison, kMissRate), Mean::arithmetic)},
                             {kReplication, mean(of(comparison, kReplication), Mean::arithmetic)}};
    for (const Ratio& ratio : kRatios) {
      json["means"][config][std::string(ratio.name) + "_geometric"] = mean(ratios(comparison, ratio.value), Mean::geometric);
      json["means"][config][std::string(ratio.name) + "_arithmetic"] = mean(ratios(comparison, ratio.value), Mean::arithmetic);
    }
  }
}

std::string csv_rows(const Comparison& comparison, bool sampled) {
  std::string csv;
  const auto cell = [](double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); };
  for (const Outcome& outcome : comparison.outcomes) {
    const Json* run = outcome.run.is_null() ? nullptr : &outcome.run;
    csv += csv_cell(outcome.config) + ',' + csv_cell(outcome.stimulus);
    for (const char* name : {"cycles", "time_ns", "thread_instructions", "ipc", kLatency, kMissRate, kReplication})
      csv += ',' + cell(metric(run, name));
    for (const char* name : {"power.total", "energy.total"}) csv += ',' + cell(metric(run, name));
    for (const Ratio& ratio : kRatios) csv += ',' + cell((comparison.*ratio.value)(outcome.config, outcome.stimulus));
    csv += ',' + cell(comparison.noc_bytes(outcome.config, outcome.stimulus)) + ',' +
           cell(comparison.dram_bytes(outcome.config, outcome.stimulus)) + ',' +
           cell(comparison.over_product(&Comparison::speed_up, outcome.config, outcome.stimulus));
    if (sampled) csv += ',' + cell(comparison.speed_up_half_width(outcome.config, outcome.stimulus));
    csv += '\n';
  }
  return csv;
}

}  // namespace

Json comparison_json(const std::vector<Comparison>& groups) {
  Json json;
  json["baseline"] = groups.front().baseline;
  json["configs"] = Json::array();
  json["stimuli"] = Json::array();
  json["groups"] = Json::array();
  json["runs"] = Json::array();
  json["means"] = Json::object();
  for (const Comparison& group : groups) {
    for (const std::string& config : group.configs) json["configs"].push_back(config);
    for (const std::string& stimulus : group.stimuli)
      if (std::find(json["stimuli"].begin(), json["stimuli"].end(), stimulus) == json["stimuli"].end()) json["stimuli"].push_back(stimulus);
    Json& entry = json["groups"].emplace_back(Json{{"baseline", group.baseline}, {"configs", group.configs}, {"stimuli", group.stimuli}});
    for (const Refused& refused : group.refused) entry["refused"].push_back({{"config", refused.config}, {"reason", refused.reason}});
    if (!group.combinations.empty()) entry["combinations"] = combination_json(group);
    add_runs(group, json);
    add_means(group, json);
  }
  return json;
}

std::string comparison_csv(const std::vector<Comparison>& groups) {
  std::string csv =
      "config,stimulus,cycles,time_ns,thread_instructions,ipc,l1.latency,l1.miss_rate,inter_core_locality,power.total,energy.total,"
      "speed_up,perf_per_watt,perf_per_energy,noc_bytes_relative,dram_bytes_relative,speed_up_by_product";
  const auto has_sample = [](const Outcome& outcome) { return !outcome.sample.is_null(); };
  const bool sampled = std::any_of(groups.begin(), groups.end(), [&](const Comparison& group) {
    return std::any_of(group.outcomes.begin(), group.outcomes.end(), has_sample);
  });
  csv += sampled ? ",speed_up_half_width\n" : "\n";
  for (const Comparison& group : groups) csv += csv_rows(group, sampled);
  return csv;
}

}  // namespace wharf::cli

#include "platforms/cli/report/report_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "model/base/config/tree/document.h"
#include "platforms/cli/explain/instructions.h"
#include "platforms/cli/explain/slot_stack.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace {

/// Tables of runs make up most of a page; tables beyond this limit stay in the result.json of their runs.
constexpr std::size_t kMostTableBytes = 8'000'000;

/// A chart shows at most four digits.
Json shortened(double value) {
  if (std::isnan(value)) return {};
  if (value == 0.0) return 0;
  const double scale = std::pow(10.0, 3.0 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

struct Bars {
  const char *id, *title, *axis, *note;
  bool is_ratio_to_baseline, is_percentage;
  std::function<double(const Comparison&, const std::string& config, const std::string& stimulus)> value;
  const char* metric;  // the value behind a ratio, for display
};

std::vector<Bars> bar_charts() {
  const auto metric = [](const char* name) {
    return [name](const Comparison& c, const std::string& config, const std::string& stimulus) { return c.value(config, stimulus, name); };
  };
  return {
      {"ipc", "Performance", "IPC, normalised", "Baseline time / time, at equal work. Longer is better.", true, false,
       [](const Comparison& c, const std::string& config, const std::string& stimulus) { return c.speed_up(config, stimulus); }, "ipc"},
      {"perf_per_watt", "Performance per watt", "IPC / power, normalised",
       "Performance / mean power of the chip, relative to the baseline. Longer is better.", true, false,
       [](const Comparison& c, const std::string& config, const std::string& stimulus) { return c.per_watt(config, stimulus); },
       "power.total"},
      {"perf_per_energy", "Performance per joule", "IPC / energy, normalised",
       "Performance / energy of the chip, relative to the baseline. Longer is better.", true, false,
       [](const Comparison& c, const std::string& config, const std::string& stimulus) { return c.per_energy(config, stimulus); },
       "energy.total"},
      {"l1_latency", "L1 latency", "L1 latency, normalised",
       "Core cycles from a load's first acceptance to its last completion in the L1 caches, relative to the baseline. Shorter is better.",
       true, false,
       [](const Comparison& c, const std::string& config, const std::string& stimulus) {
         return c.relative(config, stimulus, "l1.latency");
       },
       "l1.latency"},
      {"miss_rate", "L1 miss rate", "primary misses per looked-up load", "Shorter is better.", false, true, metric("l1.miss_rate"),
       "l1.miss_rate"},
      {"replication", "Replication", "misses that another L1 held", "Share of the primary misses whose line another L1 held at that time.",
       false, true, metric("inter_core_locality"), "inter_core_locality"},
  };
}

/// One list per configuration, with one value per stimulus.
Json matrix(const Comparison& group, const ValueOf& value) {
  Json rows = Json::array();
  for (const std::string& config : group.configs) {
    Json& row = rows.emplace_back(Json::array());
    for (const std::string& stimulus : group.stimuli) row.push_back(shortened(value(config, stimulus)));
  }
  return rows;
}

Json mean_json(const Comparison& group, const ValueOf& value, Mean mean) {
  Json means = Json::array();
  for (const std::string& config : group.configs) means.push_back(shortened(mean_over_stimuli(group, config, value, mean)));
  return {{"name", name_of(mean)}, {"values", std::move(means)}};
}

Json bars_json(const Comparison& group) {
  Json charts = Json::array();
  for (const Bars& bars : bar_charts()) {
    const ValueOf value = [&](const std::string& config, const std::string& stimulus) { return bars.value(group, config, stimulus); };
    Json& chart = charts.emplace_back();
    chart = {{"id", bars.id}, {"title", bars.title}, {"axis", bars.axis}, {"note", bars.note}};
    chart["is_ratio"] = bars.is_ratio_to_baseline;
    chart["is_percentage"] = bars.is_percentage;
    chart["values"] = matrix(group, value);
    chart["means"] = Json::array();
    if (bars.is_ratio_to_baseline) {
      chart["means"].push_back(mean_json(group, value, Mean::geometric));
      chart["metric"] = bars.metric;
      chart["absolute"] =
          matrix(group, [&](const std::string& config, const std::string& stimulus) { return group.value(config, stimulus, bars.metric); });
    }
    chart["means"].push_back(mean_json(group, value, Mean::arithmetic));
  }
  return charts;
}

/// A table of result.json, by columns; nullptr where the run lacks it.
const Json* find_table(const Outcome* outcome, const char* name) {
  if (outcome == nullptr || !outcome->tables.is_object() || !outcome->tables.contains(name)) return nullptr;
  const Json& table = outcome->tables[name];
  return table.contains("columns") && table.contains("rows") && !table["rows"].empty() ? &table : nullptr;
}

/// The shares of all issue slots by root cause, `issued` among them; null where the run has not counted them.
Json slot_shares(const Outcome* outcome) {
  if (find_table(outcome, "cycle_stack") == nullptr) return {};
  const SlotStack stack = slot_stack_of({{"run", outcome->run}, {"tables", {{"cycle_stack", outcome->tables["cycle_stack"]}}}});
  Json shares = {{"issued", shortened(stack.issued)}};
  for (const Cause& cause : stack.causes) shares[cause.name] = shortened(cause.share);
  return shares;
}

Json slots_json(const Comparison& group) {
  Json rows = Json::array();
  for (const std::string& config : group.configs) {
    Json& row = rows.emplace_back(Json::array());
    for (const std::string& stimulus : group.stimuli) row.push_back(slot_shares(group.outcome(config, stimulus)));
  }
  return rows;
}

/// The instructions of each run that cost most; null where it has not counted its slots.
Json instructions_json(const Comparison& group) {
  Json rows = Json::array();
  for (const std::string& config : group.configs) {
    Json& row = rows.emplace_back(Json::array());
    for (const std::string& stimulus : group.stimuli) {
      const Json* found = find_table(group.outcome(config, stimulus), "instructions");
      const Table table = found == nullptr ? Table() : costly_instructions({{"tables", {{"instructions", *found}}}});
      row.push_back(table.rows.empty() ? Json() : Json{{"columns", table.columns}, {"rows", table.rows}});
    }
  }
  return rows;
}

/// Time and instructions of each run; null where it did not finish.
Json work_json(const Comparison& group) {
  Json rows = Json::array();
  for (const std::string& config : group.configs) {
    Json& row = rows.emplace_back(Json::array());
    for (const std::string& stimulus : group.stimuli) {
      const double time = group.value(config, stimulus, "time_ns"), instructions = group.value(config, stimulus, "warp_instructions");
      row.push_back(time > 0.0 && instructions > 0.0 ? Json{{"time_ns", time}, {"warp_instructions", instructions}} : Json());
    }
  }
  return rows;
}

/// "waits for ..." of each cause that some run has.
Json texts_of_causes(const Json& groups) {
  Json texts = Json::object();
  for (const Json& group : groups)
    for (const Json& of_config : group["slots"])
      for (const Json& shares : of_config)
        for (const auto& [cause, share] : shares.items())
          if (cause != "issued") texts[cause] = text_of_cause(cause);
  return texts;
}

Json shortened(const Json& cell) { return cell.is_number() ? shortened(cell.get<double>()) : cell; }

Json rows_of(const Json& table) {
  Json rows = Json::array();
  for (const Json& row : table["rows"]) {
    Json& cells = rows.emplace_back(Json::array());
    for (const Json& cell : row) cells.push_back(shortened(cell));
  }
  return rows;
}

/// The tables of runs, as far as they fit.
class RunTables {
 public:
  Json as_it_is(const Json& table) { return {{"columns", table["columns"]}, {"rows", rows_of(table)}}; }

  /// Drops the columns that are 0 in all rows.
  Json used_columns(const Json& table) {
    return columns_with(table, [&table](std::size_t i) {
      const auto is_zero = [i](const Json& row) { return row[i] == 0.0; };
      return !std::all_of(table["rows"].begin(), table["rows"].end(), is_zero);
    });
  }

  /// Drops the columns that others imply.
  Json warps(const Json& table) {
    return columns_with(table, [&table](std::size_t i) {
      const std::string& name = table["columns"][i].get_ref<const std::string&>();
      return name != "cycles" && name != "vta_hits" && name != "interference";
    });
  }

  /// Hits as one list per victim, with one entry per interferer.
  Json pairs(const Json& table) {
    std::size_t warps = 0;
    for (const Json& row : table["rows"]) warps = std::max({warps, row[0].get<std::size_t>() + 1, row[1].get<std::size_t>() + 1});
    Json hits(warps, Json(warps, 0));
    for (const Json& row : table["rows"]) hits[row[0].get<std::size_t>()][row[1].get<std::size_t>()] = row[2];
    return hits;
  }

  /// A table of many small numbers as texts: a row is one with a character a cell, '#' for 0 up to '}' for the largest number of all.
  Json shades(const Json& table) {
    double most = 1.0;
    for (const Json& row : table["rows"])
      for (std::size_t i = 1; i < row.size(); ++i) most = std::max(most, row[i].get<double>());
    Json json = {{"columns", table["columns"]}, {"most", most}, {"at", Json::array()}, {"rows", Json::array()}};
    for (const Json& row : table["rows"]) {
      std::string cells;
      for (std::size_t i = 1; i < row.size(); ++i) cells += static_cast<char>('#' + std::lround(row[i].get<double>() / most * ('}' - '#')));
      json["at"].push_back(row[0]);
      json["rows"].push_back(std::move(cells));
    }
    return json;
  }

  /// Stores ends and positions once for all runs of a machine; for each run only its utilisations, in thousandths.
  Json links(const Json& table) {
    Json wiring = {{"columns", Json::array()}, {"rows", Json::array()}}, utilisation = Json::array();
    std::vector<std::size_t> kept;
    std::size_t measured = 0;
    for (std::size_t i = 0; i < table["columns"].size(); ++i) {
      const std::string& column = table["columns"][i].get_ref<const std::string&>();
      if (column == "utilisation") measured = i;
      if (column == "utilisation" || column == "flits") continue;
      kept.push_back(i);
      wiring["columns"].push_back(column);
    }
    for (const Json& row : table["rows"]) {
      Json& cells = wiring["rows"].emplace_back(Json::array());
      for (const std::size_t i : kept) cells.push_back(row[i]);
      utilisation.push_back(std::lround(row[measured].get<double>() * 1000.0));
    }
    return {{"wiring", place_of(std::move(wiring))}, {"thousandths", std::move(utilisation)}};
  }

  /// `make` applied to each run's table, as one list per configuration with one entry per stimulus: null where a run has no table, false
  /// where it did not fit.
  Json matrix(const Comparison& group, const char* name, Json (RunTables::*make)(const Json&)) {
    Json rows = Json::array();
    for (const std::string& config : group.configs) {
      Json& row = rows.emplace_back(Json::array());
      for (const std::string& stimulus : group.stimuli) {
        const Json* table = find_table(group.outcome(config, stimulus), name);
        row.push_back(table == nullptr ? Json() : bytes_ > kMostTableBytes ? Json(false) : counted((this->*make)(*table)));
      }
    }
    return rows;
  }

  Json wirings() { return std::move(wirings_); }

 private:
  template <class Wanted>
  static Json columns_with(const Json& table, const Wanted& wanted) {
    Json part = {{"columns", Json::array()}, {"rows", Json::array()}};
    part["rows"].get_ref<Json::array_t&>().resize(table["rows"].size(), Json::array());
    for (std::size_t i = 0; i < table["columns"].size(); ++i) {
      if (!wanted(i)) continue;
      part["columns"].push_back(table["columns"][i]);
      for (std::size_t row = 0; row < part["rows"].size(); ++row) part["rows"][row].push_back(shortened(table["rows"][row][i]));
    }
    return part;
  }

  Json counted(Json json) {
    bytes_ += json.dump().size();
    return json;
  }

  std::size_t place_of(Json wiring) {
    const auto [place, is_new] = places_.emplace(wiring.dump(), wirings_.size());
    if (is_new) wirings_.push_back(counted(std::move(wiring)));
    return place->second;
  }

  Json wirings_ = Json::array();
  std::map<std::string, std::size_t> places_;  // by text
  std::size_t bytes_ = 0;
};

void flatten(const config::Node& node, const std::string& path, std::map<std::string, std::string>& values,
             std::vector<std::string>& order) {
  if (node.is(config::Node::Kind::mapping)) {
    for (const config::Node& child : node.children) flatten(child, path.empty() ? child.key : path + '.' + child.key, values, order);
    return;
  }
  std::string text = node.text;
  for (const config::Node& item : node.children) text += (text.empty() ? "" : ", ") + item.text;
  if (values.emplace(path, text).second) order.push_back(path);
}

}  // namespace

std::vector<std::vector<std::string>> configuration_differences(const std::vector<std::string>& resolved) {
  std::vector<std::map<std::string, std::string>> values(resolved.size());
  std::vector<std::string> order;
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    config::Mistakes mistakes;
    flatten(config::parse_document(resolved[i], "resolved configuration", mistakes), "", values[i], order);
    mistakes.throw_if_any();
  }
  std::vector<std::vector<std::string>> rows;
  std::set<std::string> seen;
  for (const std::string& key : order) {
    if (!seen.insert(key).second) continue;
    std::vector<std::string> row = {key};
    for (const auto& of_config : values) row.push_back(of_config.count(key) == 0 ? "" : of_config.at(key));
    if (std::adjacent_find(row.begin() + 1, row.end(), std::not_equal_to<>()) != row.end()) rows.push_back(std::move(row));
  }
  return rows;
}

Json report_data(const std::vector<Comparison>& groups) {
  RunTables tables;
  Json data;
  for (const Comparison& group : groups) {
    Json& json = data["groups"].emplace_back();
    json = {{"baseline", group.baseline}, {"configs", group.configs}, {"stimuli", short_names(group.stimuli)}};
    json["refused"] = Json::array();
    for (const Refused& refused : group.refused) json["refused"].push_back({{"config", refused.config}, {"reason", refused.reason}});
    json["bars"] = bars_json(group);
    json["differences"] = configuration_differences(group.resolved);
    json["slots"] = slots_json(group);
    json["instructions"] = instructions_json(group);
    json["work"] = work_json(group);
    json["memory_levels"] = tables.matrix(group, "memory_levels", &RunTables::as_it_is);
    json["latency_stack"] = tables.matrix(group, "latency_stack", &RunTables::as_it_is);
  }
  // Larger tables come last, so that the last of them are dropped where space runs out.
  for (std::size_t i = 0; i < groups.size(); ++i) {
    data["groups"][i]["links"] = tables.matrix(groups[i], "links", &RunTables::links);
    data["groups"][i]["parts_over_time"] = tables.matrix(groups[i], "parts_over_time", &RunTables::shades);
    data["groups"][i]["bandwidth"] = tables.matrix(groups[i], "bandwidth", &RunTables::as_it_is);
    data["groups"][i]["energy_over_time"] = tables.matrix(groups[i], "energy_over_time", &RunTables::used_columns);
    data["groups"][i]["warps_over_time"] = tables.matrix(groups[i], "warps_over_time", &RunTables::warps);
    data["groups"][i]["interference"] = tables.matrix(groups[i], "interference", &RunTables::pairs);
  }
  data["wirings"] = tables.wirings();
  data["causes"] = texts_of_causes(data["groups"]);
  return data;
}

}  // namespace wharf::cli

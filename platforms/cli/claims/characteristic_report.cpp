#include "platforms/cli/claims/characteristic_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/text.h"
#include "platforms/cli/claims/claim_summary.h"

namespace wharf::cli {
namespace {

constexpr const char* kCharacteristicLegend =
    "What each source states about its workloads on its baseline, beside what they have here on that baseline alone, before any design is "
    "run.\n\n"
    "- A figure without brackets: the source states nothing about it. In brackets: what it states, of the workload or of every member of a "
    "group;\n"
    "  **bold** where the figure here lies outside. A figure is met within 10 points, or 25 % of it, whichever is larger; of what is no share, "
    "within 25 %.\n"
    "- *L1 miss rate*: primary misses per load looked up. *With merges*: a load that joins a miss on its way counts as another one. Sources "
    "do not say\n"
    "  which they count; both are judged, and *(in with merges)* says where the second lies inside and the first does not.\n"
    "- *Locality*: misses that another L1 could have served (replication ratio). *Copies*: of a line, mean over the lines held. *APKI*: "
    "line transactions\n"
    "  in L1 per 1000 thread instructions. *L1 port use*, *reply link use*: of the busiest. *Lines in flight*: by Little's law, misses times "
    "their round trip.\n"
    "- A workload that the source does not name is a *fill-in* of its class.\n";

/// For example "62.0 % (above 50 %)", in bold where a statement about it does not hold.
std::string cell(const WorkloadCharacteristics& workload, const Characteristic& characteristic) {
  const auto found = workload.measured.find(characteristic.metric);
  if (found == workload.measured.end()) return "-";
  std::string text = value_text(found->second, characteristic.is_share), stated;
  bool holds = true, with_merges = true;
  for (const JudgedStatement& one : workload.statements) {
    if (one.metric != characteristic.metric) continue;
    stated += (stated.empty() ? "" : "; ") + text_of(one.stated, characteristic.is_share);
    holds = holds && one.holds;
    with_merges = with_merges && one.holds_with_merges;
  }
  if (stated.empty()) return text;
  text = escape_markdown(fmt::format("{} ({})", text, stated));
  if (holds) return text;
  return fmt::format("**{}**{}", text, with_merges ? " (in with merges)" : "");
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& one : cells) line += ' ' + one + " |";
  return line + '\n';
}

std::string head(const std::vector<std::string>& cells) { return row(cells) + row(std::vector<std::string>(cells.size(), "---")); }

std::string list(const std::vector<std::string>& names) { return names.empty() ? "-" : escape_markdown(join(names, names.size())); }

std::vector<Characteristic> columns_of(const CharacteristicsResult& result) {
  std::vector<Characteristic> columns;
  for (const Characteristic& one : characteristics()) {
    const auto has = [&](const WorkloadCharacteristics& workload) { return workload.measured.count(one.metric) != 0; };
    if (std::any_of(result.workloads.begin(), result.workloads.end(), has)) columns.push_back(one);
  }
  return columns;
}

std::string workloads_table(const CharacteristicsResult& result) {
  const std::vector<Characteristic> columns = columns_of(result);
  std::vector<std::string> titles = {"workload", "within", "warp instructions"};
  for (const Characteristic& one : columns) titles.emplace_back(one.title);
  std::string text = head(titles);
  for (const WorkloadCharacteristics& one : result.workloads) {
    const std::string name = escape_markdown(one.workload) + (one.named ? "" : " (fill-in)");
    if (!one.known()) {
      text += row({name, "not measured: " + escape_markdown(one.why_missing)});
      continue;
    }
    const char* within = one.statements.empty() ? "-" : one.within(false) ? "yes" : one.within(true) ? "with merges" : "NO";
    std::vector<std::string> cells = {name, within, one.warp_instructions ? fmt::format("{:.2f} M", *one.warp_instructions / 1e6) : "-"};
    for (const Characteristic& column : columns) cells.push_back(cell(one, column));
    text += row(cells);
  }
  return text;
}

std::string groups_table(const CharacteristicsResult& result) {
  if (result.groups.empty()) return {};
  std::string text = "\nMembers by the source's own criteria:\n\n" +
                     head({"group", "criteria", "where", "pass", "named, but fail", "fill-ins that fail", "pass, but are no members"});
  for (const GroupMembership& group : result.groups) {
    text += row({escape_markdown(group.group), escape_markdown(criteria_text(group.criteria)), escape_markdown(group.where),
                 list(group.pass), list(group.named_but_fail), list(group.fill_ins_that_fail), list(group.pass_but_no_members)});
  }
  return text;
}

std::string averages_table(const CharacteristicsResult& result) {
  if (result.averages.empty()) return {};
  std::string text = "\nAverages that the source states:\n\n" + head({"group", "characteristic", "where", "published", "measured", "near"});
  for (const JudgedAverage& one : result.averages) {
    const Characteristic& known = characteristic(one.metric);
    text += row({escape_markdown(one.group), known.title, escape_markdown(one.where), escape_markdown(text_of(one.stated, known.is_share)),
                 one.measured ? value_text(*one.measured, known.is_share) : "-", one.holds ? "yes" : "NO"});
  }
  return text;
}

std::string section_text(const JudgedCharacteristics& judged) {
  const SourceCharacteristics& source = judged.source;
  const WithinRange count = within_range(judged.result);
  std::string text = fmt::format("\n## {}\n\nMeasured by {}, on {}.", escape_markdown(source.source), origin_text(judged.origin),
                                 escape_markdown(name_of(source.baseline)));
  if (source.larger.named()) text += fmt::format(" Gain: IPC with {} ({}).", source.larger_name, escape_markdown(name_of(source.larger)));
  text += fmt::format("\n\nWithin range: {} of {}, {} with merges. (Named workloads with published characteristics.)\n\n", count.within,
                      count.named, count.within_with_merges);
  return text + workloads_table(judged.result) + groups_table(judged.result) + averages_table(judged.result);
}

std::string summary_table(const std::vector<JudgedCharacteristics>& sources) {
  std::string text = "\n" + head({"source", "program", "named workloads with published characteristics", "within range", "with merges"});
  for (const JudgedCharacteristics& one : sources) {
    const WithinRange count = within_range(one.result);
    text += row({escape_markdown(one.source.source), commit_of(one.origin), std::to_string(count.named), std::to_string(count.within),
                 std::to_string(count.within_with_merges)});
  }
  return text;
}

Json stated_json(const Stated& stated) {
  if (stated.figure) return *stated.figure;
  Json json = Json::object();
  if (stated.low) json[stated.low_counts ? "at_least" : "above"] = *stated.low;
  if (stated.high) json[stated.high_counts ? "at_most" : "below"] = *stated.high;
  return json;
}

Json workload_json(const WorkloadCharacteristics& one) {
  Json json = {{"workload", one.workload}, {"named", one.named}};
  if (!one.known()) {
    json["missing"] = one.why_missing;
    return json;
  }
  json["warp_instructions"] = one.warp_instructions ? Json(*one.warp_instructions) : Json();
  json["measured"] = Json::object();
  for (const auto& [metric, value] : one.measured) json["measured"][metric] = value;
  json["within"] = one.statements.empty() ? Json() : Json(one.within(false));
  json["within_with_merges"] = one.statements.empty() ? Json() : Json(one.within(true));
  json["published"] = Json::array();
  for (const JudgedStatement& statement : one.statements) {
    json["published"].push_back({{"of", statement.of},
                                 {"where", statement.where},
                                 {"characteristic", statement.metric},
                                 {"stated", stated_json(statement.stated)},
                                 {"holds", statement.holds},
                                 {"holds_with_merges", statement.holds_with_merges}});
  }
  return json;
}

}  // namespace

std::string value_text(double value, bool is_share) {
  if (is_share) return fmt::format("{:.1f} %", value * 100.0);
  return value >= 100.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string criteria_text(const std::vector<Published>& criteria) {
  std::string text;
  for (const Published& one : criteria) {
    const Characteristic& known = characteristic(one.metric);
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", known.title, text_of(one.stated, known.is_share));
  }
  return text;
}

std::string within_range_text(const WithinRange& count) {
  return fmt::format("{} of {} named workloads with published characteristics lie within them, {} where merges count as misses",
                     count.within, count.named, count.within_with_merges);
}

std::string characteristics_markdown(const std::vector<JudgedCharacteristics>& sources, const std::string& mark) {
  std::string text = "# Workloads: published and measured characteristics\n\n";
  if (!mark.empty()) text += fmt::format("**{}**\n\n", mark);
  std::vector<SourceOrigins> origins;
  for (const JudgedCharacteristics& one : sources) origins.push_back({one.source.source, {one.origin}});
  text += kCharacteristicLegend + commits_note(origins) + summary_table(sources) + "\nIn all: " + within_range_text(within_range(sources)) +
          ".\n";
  for (const JudgedCharacteristics& one : sources) text += section_text(one);
  return text;
}

Json characteristics_json(const std::vector<JudgedCharacteristics>& sources) {
  Json json = Json::array();
  for (const JudgedCharacteristics& judged : sources) {
    const WithinRange count = within_range(judged.result);
    Json& one = json.emplace_back(Json{{"source", judged.source.source},
                                       {"baseline", name_of(judged.source.baseline)},
                                       {"larger", judged.source.larger.named() ? Json(name_of(judged.source.larger)) : Json()},
                                       {"named", count.named},
                                       {"within", count.within},
                                       {"within_with_merges", count.within_with_merges},
                                       {"workloads", Json::array()},
                                       {"groups", Json::array()},
                                       {"averages", Json::array()}});
    for (const WorkloadCharacteristics& workload : judged.result.workloads) one["workloads"].push_back(workload_json(workload));
    for (const GroupMembership& group : judged.result.groups) {
      one["groups"].push_back({{"group", group.group},
                               {"where", group.where},
                               {"pass", group.pass},
                               {"named_but_fail", group.named_but_fail},
                               {"fill_ins_that_fail", group.fill_ins_that_fail},
                               {"pass_but_no_members", group.pass_but_no_members}});
    }
    for (const JudgedAverage& average : judged.result.averages) {
      one["averages"].push_back({{"group", average.group},
                                 {"where", average.where},
                                 {"characteristic", average.metric},
                                 {"stated", stated_json(average.stated)},
                                 {"measured", average.measured ? Json(*average.measured) : Json()},
                                 {"holds", average.holds}});
    }
  }
  return json;
}

}  // namespace wharf::cli

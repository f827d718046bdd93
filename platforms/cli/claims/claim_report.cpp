#include "platforms/cli/claims/claim_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/base/text.h"
#include "platforms/cli/claims/claim_sections.h"
#include "platforms/cli/claims/claim_summary.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {
namespace {

constexpr const char* kLegend =
    "- *published*: the change where two systems are compared, else the figure itself.\n"
    "- *measured*: the same, over the whole group. *named only*: over those members alone that the source names, where it names only "
    "some;\n"
    "  the others are fill-ins of the same class.\n"
    "- *sign*: whether the change goes the published way. For equal and about: whether it lies within 5 points of a percentage, or a "
    "tenth\n"
    "  of another value, unless the claim has a tolerance of its own. For bounds: whether they hold.\n"
    "- *cannot be tested*: most members of the group are fill-ins, and the source sorts its members by what the design does to them. Fill-ins\n"
    "  are chosen on the baseline, so they cannot stand for such members. The cell has the share of named members, and the lowest and highest\n"
    "  figure over every choice of fill-ins that gives the group its published size. UNDECIDED: only some choices have the published sign;\n"
    "  the summary counts such a claim as computed, and not as one that agrees.\n"
    "- *in program order*: the same with each load directly before its use (batch=1), as in PTX. The kernels issue loads ahead, as\n"
    "  assembled code does. Sources do not say which of the two they ran.\n"
    "- *size*: whether the figure is near the published one: within 10 points, or 25 % of the published change, whichever is larger (of what "
    "is no\n"
    "  share, 25 % of it). A change has to go the published way besides, a bound has to hold; an ordering has no size.\n"
    "- Of a miss rate two figures are measured: of primary misses, which the other columns are about, and *with merges*, where a load that "
    "joins a\n"
    "  miss on its way counts as another one. Sources do not say which they count.\n"
    "- Where a section says that claims were measured anew, the last line that names a claim says how its figures were had, and the first\n"
    "  line of all others.\n"
    "- *difference*: measured less published, both counted in the claim's direction: negative where the effect is smaller here.\n"
    "- Ratios of IPC, time, energy and power have geometric means, everything else arithmetic ones, where a measure does not say "
    "otherwise.\n";

bool is_change(const Claim& claim) { return claim.unit == "ordering" || (claim.relative && claim.unit == "percent"); }

/// At most four significant digits, as in published figures.
std::string figure(double value, const std::string& unit) {
  if (unit == "percent" || unit == "ordering") return fmt::format("{:.1f} %", value);
  return fmt::format("{:.3g} {}", value, unit == "ratio" ? "x" : unit);
}

std::string difference_text(const Claim& claim, std::optional<double> difference) {
  if (!difference) return "-";
  const std::string unit = claim.unit == "ratio" ? "" : ' ' + (claim.unit == "percent" ? "points" : claim.unit);
  return fmt::format("{:+.3g}{}", *difference, unit);
}

const char* reduction_text(const Measure& measure) {
  switch (measure.reduce) {
    case Reduce::ratio_of_means:
      return "ratio of means";
    case Reduce::max:
      return "maximum";
    case Reduce::min:
      return "minimum";
    default:
      return is_geometric(measure) ? "geometric mean" : "arithmetic mean";
  }
}

std::string measure_text(const Measure& measure) {
  std::string text = join(measure.metric);
  if (measure.metric.size() > 1) text = "sum of " + text;
  if (!measure.per.empty()) text += " per " + join(measure.per);
  if (measure.reduce == Reduce::share_of_kernels) text = "share of the kernels with more " + text;
  if (measure.course) text += fmt::format(" from {:g} to {:g} of the thread instructions", measure.course->first, measure.course->second);
  text += " of " + name_of(measure.system);
  if (measure.baseline.named()) text += " over " + name_of(measure.baseline);
  if (measure.normalise.named()) text += ", both by " + name_of(measure.normalise);
  if (measure.fixed_part) text += fmt::format(", as {:g} of the whole", *measure.fixed_part);
  if (!measure.part.empty()) text += ", as the part that it is of " + measure.part;
  if (measure.limit_warp_instructions) text += fmt::format(", each run up to {} warp instructions", with_commas(*measure.limit_warp_instructions));
  const Suite& suite = measure.workloads;
  if (suite.members.size() == 1) return text + ", " + suite.members.front().workload;
  return text + fmt::format(", {} over {}", reduction_text(measure), suite.name.empty() ? join(suite.workloads()) : suite.name);
}

/// For example "Without a, b (is not built in); c (failed)."
std::string missing_text(const std::vector<MissingFigure>& missing) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const MissingFigure& one : missing) by_reason[one.why].push_back(one.workload);
  std::string text;
  for (const auto& [why, workloads] : by_reason) text += fmt::format("{}{} ({})", text.empty() ? "Without " : "; ", join(workloads), why);
  return text.empty() ? text : text + '.';
}

/// How a claim was measured, as a list item; with several measures, each with its own figure.
std::string how(const JudgedClaim& judged) {
  const Claim& claim = judged.claim;
  std::string text = fmt::format("- {}: ", escape_markdown(claim.id));
  for (std::size_t i = 0; i < claim.measures.size(); ++i) {
    text += escape_markdown((i == 0 ? "" : "; ") + measure_text(claim.measures[i]));
    if (claim.measures.size() > 1) text += ": " + measured_text(claim, judged.result.parts[i].completed);
  }
  text += '.';
  if (!claim.note.empty()) text += ' ' + escape_markdown(claim.note) + '.';
  const std::string missing = missing_text(judged.result.missing);
  return text + (missing.empty() ? "" : ' ' + escape_markdown(missing)) + '\n';
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += ' ' + escape_markdown(cell) + " |";
  return line + '\n';
}

std::string facts(const Claim& claim) {
  std::string text = claim.system;
  if (!claim.baseline.empty() && claim.baseline != "none" && claim.baseline != "-") text += " against " + claim.baseline;
  text += ": " + claim.metric;
  return claim.workloads.empty() || claim.workloads == "n/a" ? text : text + "; " + claim.workloads;
}

std::string where(const Claim& claim) { return claim.where.empty() ? claim.id : claim.id + " (" + claim.where + ")"; }

const char* agreement_text(std::optional<bool> agrees) { return !agrees ? "-" : *agrees ? kAgrees : kDisagrees; }

/// For example "UNDECIDED; cannot be tested: 4 of 17 named, -20.1 % to +1.2 %".
std::string sign_text(const Claim& claim, const ClaimResult& result) {
  const SignVerdict sign = *result.sign();
  std::string text = sign == SignVerdict::agrees ? kAgrees : sign == SignVerdict::disagrees ? kDisagrees : kUndecided;
  const std::optional<FillInInterval> interval = result.over_fill_ins();
  if (!interval) return text;
  const auto& members = claim.measures[*result.shown].workloads.members;
  const auto named = std::count_if(members.begin(), members.end(), [](const Suite::Member& member) { return !member.fill_in; });
  const bool falls = is_change(claim) && claim.direction == Direction::decrease;  // the low end is the largest decrease
  return fmt::format("{}; cannot be tested: {} of {} named, {} to {}", text, named, members.size(), measured_text(claim, falls ? interval->high : interval->low),
                     measured_text(claim, falls ? interval->low : interval->high));
}

/// A claim as it is written in the document.
ClaimLines lines_of(const JudgedClaim& judged) {
  const Claim& claim = judged.claim;
  const ClaimResult& result = judged.result;
  const std::string id = escape_markdown(claim.id);
  if (!result.shown)
    return {id, ClaimTable::not_computed,
            row({where(claim), facts(claim), published_text(claim), name_of(claim.tier), name_of(claim.kind), result.reason}), {}};
  const std::string named = partly_named(claim) ? measured_text(claim, result.named_only()) : "all are named";
  std::string measured = measured_text(claim, result.measured());
  if (result.with_merges()) measured += fmt::format(" ({} with merges)", measured_text(claim, result.with_merges()));
  if (result.in_program_order()) measured += fmt::format(" ({} in program order)", measured_text(claim, result.in_program_order()));
  return {id, claim.tier == Tier::headline ? ClaimTable::headline : ClaimTable::mechanism,
          row({where(claim), facts(claim), published_text(claim), measured, named,
               sign_text(claim, result), agreement_text(size_agrees(claim, result)), difference_text(claim, result.difference)}),
          how(judged)};
}

using Selection = std::vector<const JudgedClaim*>;

template <class Belongs>
Selection select(const std::vector<JudgedClaim>& claims, const Belongs& belongs) {
  Selection chosen;
  for (const JudgedClaim& judged : claims) {
    if (belongs(judged)) chosen.push_back(&judged);
  }
  return chosen;
}

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json interval_json(const std::optional<FillInInterval>& interval) {
  return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json();
}

Json part_json(const Measure& measure, const MeasureResult& part) {
  Json json = {{"system", name_of(measure.system)},
               {"baseline", measure.baseline.named() ? Json(name_of(measure.baseline)) : Json()},
               {"normalise", measure.normalise.named() ? Json(name_of(measure.normalise)) : Json()},
               {"metric", measure.metric},
               {"per", measure.per},
               {"reduce", reduction_text(measure)},
               {"group", measure.workloads.name},
               {"limit_warp_instructions", measure.limit_warp_instructions ? Json(*measure.limit_warp_instructions) : Json()},
               {"measured", optional_json(part.completed)},
               {"measured_named_only", optional_json(part.named_only)},
               {"workloads", Json::array()}};
  for (const WorkloadFigure& figure : part.figures) {
    Json entry = {{"workload", figure.workload}, {"fill_in", figure.fill_in}};
    if (figure.known()) {
      entry["system"] = figure.system;
      if (measure.baseline.named()) entry["baseline"] = figure.baseline;
    } else {
      entry["missing"] = figure.why_missing;
    }
    json["workloads"].push_back(std::move(entry));
  }
  return json;
}

Json runs_json(const ClaimResult& result, const Claim& claim) {
  std::set<std::string> runs;
  for (std::size_t i = 0; i < result.parts.size(); ++i) {
    const Measure& measure = claim.measures[i];
    for (const WorkloadFigure& figure : result.parts[i].figures) {
      if (!figure.known()) continue;
      for (const Machine* machine : {&measure.system, &measure.baseline, &measure.normalise}) {
        if (machine->named()) runs.insert(name_of(*machine) + " " + figure.workload);
      }
    }
  }
  return Json(std::vector<std::string>(runs.begin(), runs.end()));
}

Json missing_json(const std::vector<MissingFigure>& missing) {
  Json json = Json::array();
  for (const MissingFigure& one : missing) json.push_back(one.workload + " " + one.why);
  return json;
}

Json claim_json(const JudgedClaim& judged) {
  const Claim& claim = judged.claim;
  const ClaimResult& result = judged.result;
  Json json = {{"id", claim.id},
               {"source", claim.source},
               {"where", claim.where},
               {"tier", name_of(claim.tier)},
               {"kind", name_of(claim.kind)},
               {"unit", claim.unit},
               {"direction", name_of(claim.direction)},
               {"relative", claim.relative},
               {"published", optional_json(claim.value)},
               {"measured", optional_json(result.measured())},
               {"measured_named_only", optional_json(result.named_only())},
               {"measured_with_merges", optional_json(result.with_merges())},
               {"partly_named", partly_named(claim)},
               {"measured_in_program_order", optional_json(result.in_program_order())},
               {"over_fill_ins", interval_json(result.over_fill_ins())},
               {"sign_agrees", !result.shown || *result.sign() == SignVerdict::undecided ? Json() : Json(*result.sign() == SignVerdict::agrees)},
               {"size_agrees", result.shown && size_agrees(claim, result) ? Json(*size_agrees(claim, result)) : Json()},
               {"difference", optional_json(result.difference)},
               {"reason", result.reason},
               {"note", claim.note},
               {"missing", missing_json(result.missing)},
               {"runs", runs_json(result, claim)},
               {"parts", Json::array()}};
  for (std::size_t i = 0; i < result.parts.size(); ++i) json["parts"].push_back(part_json(claim.measures[i], result.parts[i]));
  return json;
}

/// The section of a source. `earlier` is its former text; null where there was none or nothing of it stays.
std::string source_text(const std::string& source, const std::vector<JudgedClaim>& claims, const Provenance& provenance,
                        const std::string* earlier) {
  std::vector<JudgedClaim> own;
  std::copy_if(claims.begin(), claims.end(), std::back_inserter(own), [&](const JudgedClaim& judged) { return judged.claim.source == source; });
  std::vector<ClaimLines> lines;
  std::transform(own.begin(), own.end(), std::back_inserter(lines), lines_of);
  const std::string measured_how = escape_markdown(provenance.command) + " with Wharf " + escape_markdown(provenance.program);
  if (earlier == nullptr) return section_text({{fmt::format("Measured by {}: {}.", measured_how, claims_summary(own))}, lines});
  ClaimSectionBody body = parse_section(*earlier);
  replace_claims(body, lines, measured_anew(measured_how, lines, claims_summary(own)));
  return section_text(body);
}

std::vector<ClaimSection> sections_with(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::string& earlier) {
  std::vector<ClaimSection> sections = sections_of(earlier);
  sections.erase(std::remove_if(sections.begin(), sections.end(), [](const ClaimSection& one) { return !has_present_form(one); }), sections.end());
  std::set<std::string> measured_now;
  for (const JudgedClaim& first : claims) {
    const std::string& source = first.claim.source;
    if (!measured_now.insert(source).second) continue;
    ClaimSection& section = section_of(sections, source);
    const bool stays = !provenance.whole_sources && !section.text.empty();
    section.text = source_text(source, claims, provenance, stays ? &section.text : nullptr);
  }
  return sections;
}

}  // namespace

std::string escape_markdown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_[]<>#|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string measured_text(const Claim& claim, std::optional<double> measured) {
  if (!measured) return "-";
  if (!is_change(claim)) return figure(*measured, claim.unit);
  return fmt::format("{:+.1f} %", claim.direction == Direction::decrease ? -*measured : *measured);
}

std::string published_text(const Claim& claim) {
  if (!claim.value) return claim.direction == Direction::decrease ? "less" : claim.direction == Direction::increase ? "more" : "equal";
  const bool change = claim.relative && claim.unit == "percent";
  const std::string size = claim.unit == "percent" ? fmt::format("{:g} %", *claim.value) : figure(*claim.value, claim.unit);
  switch (claim.direction) {
    case Direction::increase:
      return change ? "+" + size : claim.relative ? size : "at least " + size;
    case Direction::decrease:
      return change ? "-" + size : claim.relative ? size : "at most " + size;
    case Direction::at_most:
      return "at most " + size;
    case Direction::at_least:
      return "at least " + size;
    case Direction::within:
      return "within " + size;
    case Direction::about:
      return "about " + size;
    default:
      return size;
  }
}

std::string claims_summary(const std::vector<JudgedClaim>& claims) {
  const auto computed = select(claims, [](const JudgedClaim& judged) { return judged.result.shown.has_value(); });
  const auto count = [&](SignVerdict verdict) {
    return std::count_if(computed.begin(), computed.end(), [&](const JudgedClaim* judged) { return *judged->result.sign() == verdict; });
  };
  const auto undecided = count(SignVerdict::undecided);
  std::size_t sized = 0, near = 0;
  for (const JudgedClaim* judged : computed) {
    const std::optional<bool> agrees = size_agrees(judged->claim, judged->result);
    sized += agrees ? 1 : 0;
    near += agrees.value_or(false) ? 1 : 0;
  }
  return fmt::format("{} claims, {} computed: {} agree in sign, {} do not{}; {} of {} agree in size", claims.size(), computed.size(),
                     count(SignVerdict::agrees), count(SignVerdict::disagrees),
                     undecided == 0 ? std::string() : fmt::format(", {} undecided", undecided), near, sized);
}

std::string claims_markdown(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::string& earlier,
                            const std::optional<WithinRange>& within) {
  const std::vector<ClaimSection> sections = sections_with(claims, provenance, earlier);
  std::string text =
      "# Published and measured\n\n"
      "Generated by wharf reproduce. Do not edit: run the command again. What to make of the figures is written by hand in docs/analysis.md, "
      "what the\nworkloads are like stands in docs/workloads.md.\n\n";
  if (!provenance.mark.empty()) text += fmt::format("**{}**\n\n", provenance.mark);
  text += kLegend + programs_note(sections) + summary_markdown(sections);
  if (within && !provenance.own_claims) text += "\n" + within_range_text(*within) + "\n";
  for (const ClaimSection& section : sections) text += section.heading + section.text;
  return text;
}

Json claims_json(const std::vector<JudgedClaim>& claims, const Provenance& provenance, const std::optional<WithinRange>& within) {
  Json json = {{"command", provenance.command}, {"program", provenance.program}, {"mark", provenance.mark}, {"claims", Json::array()}};
  for (const JudgedClaim& judged : claims) json["claims"].push_back(claim_json(judged));
  json["summary"] = summary_json(sections_with(claims, provenance, ""), within);
  return json;
}

}  // namespace wharf::cli

#include "platforms/cli/claims/claim_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "model/base/text.h"
#include "platforms/cli/claims/characteristic_report.h"
#include "platforms/cli/claims/claim_summary.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {
namespace {

/// docs/results.md above its tables.
constexpr const char* kResultsHead =
    "# Published and measured\n\n"
    "What the publications of the designs report, beside what Wharf measures. `wharf reproduce` writes this page and\n"
    "`platforms/claims/measured.json`, the figures of all {} claims. Do not edit it.\n\n"
    "    ./wharf reproduce --recorded                     # every claim with the figures last measured, and how; runs nothing\n"
    "    ./wharf reproduce --recorded --tier headline     # the headline claims alone\n"
    "    ./wharf reproduce --recorded --characteristics   # the workloads on the baselines; runs nothing\n"
    "    ./wharf reproduce --quick                        # measures the headline claims over few workloads: tens of minutes\n"
    "    ./wharf reproduce                                # measures everything: hours\n\n"
    "`./wharf docs` renders the first and the third as pages. The pages of the designs explain the figures,\n"
    "[howto-reproduce.md](howto-reproduce.md) how to measure claims of your own.\n\n"
    "The claim of each publication that `wharf compare` shows. *sign*: the change goes the published way. *size*: it lies within 10 points or\n"
    "25 % of the published change, whichever is larger.\n\n";

constexpr const char* kClaimLegend =
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
  if (measure.limit_warp_instructions)
    text += fmt::format(", each run up to {} warp instructions", with_commas(*measure.limit_warp_instructions));
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

std::string escaped_row(const std::vector<std::string>& cells) {
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

constexpr const char *kAgrees = "agrees", *kDisagrees = "DISAGREES", *kUndecided = "UNDECIDED";

}  // namespace

const char* agreement_text(std::optional<bool> agrees) { return !agrees ? "-" : *agrees ? kAgrees : kDisagrees; }

const char* verdict_text(SignVerdict sign) {
  return sign == SignVerdict::agrees ? kAgrees : sign == SignVerdict::disagrees ? kDisagrees : kUndecided;
}

namespace {

/// For example "UNDECIDED; cannot be tested: 4 of 17 named, -20.1 % to +1.2 %".
std::string sign_text(const Claim& claim, const ClaimResult& result) {
  std::string text = verdict_text(*result.sign());
  const std::optional<FillInInterval> interval = result.over_fill_ins();
  if (!interval) return text;
  const auto& members = claim.measures[*result.shown].workloads.members;
  const auto named = std::count_if(members.begin(), members.end(), [](const Suite::Member& member) { return !member.fill_in; });
  const bool falls = is_change(claim) && claim.direction == Direction::decrease;  // the low end is the largest decrease
  return fmt::format("{}; cannot be tested: {} of {} named, {} to {}", text, named, members.size(),
                     measured_text(claim, falls ? interval->high : interval->low),
                     measured_text(claim, falls ? interval->low : interval->high));
}

std::string row_of(const JudgedClaim& judged) {
  const Claim& claim = judged.claim;
  const ClaimResult& result = judged.result;
  if (!result.shown)
    return escaped_row({where(claim), facts(claim), published_text(claim), name_of(claim.tier), name_of(claim.kind), result.reason});
  const std::string named = partly_named(claim) ? measured_text(claim, result.named_only()) : "all are named";
  std::string measured = measured_text(claim, result.measured());
  if (result.with_merges()) measured += fmt::format(" ({} with merges)", measured_text(claim, result.with_merges()));
  if (result.in_program_order()) measured += fmt::format(" ({} in program order)", measured_text(claim, result.in_program_order()));
  return escaped_row({where(claim), facts(claim), published_text(claim), measured, named, sign_text(claim, result),
                      agreement_text(size_agrees(claim, result)), difference_text(claim, result.difference)});
}

/// The cells of a claim on docs/results.md, and the end of their row.
std::string headline_cells(const JudgedClaim& judged) {
  const Claim& claim = judged.claim;
  const ClaimResult& result = judged.result;
  const std::optional<SignVerdict> sign = result.sign();
  return escaped_row({claim.id, facts(claim), published_text(claim), measured_text(claim, result.measured()),
                      sign ? verdict_text(*sign) : "-", agreement_text(size_agrees(claim, result))});
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
  Json json = {
      {"id", claim.id},
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

/// A heading, the head of a table, and the claims below it.
std::string table_text(const char* heading, const char* head, const Selection& claims) {
  if (claims.empty()) return {};
  std::string text = fmt::format("\n### {}\n\n{}", heading, head), hows;
  for (const JudgedClaim* judged : claims) {
    text += row_of(*judged);
    if (judged->result.shown) hows += how(*judged);
  }
  return hows.empty() ? text : text + "\nMeasured as:\n\n" + hows;
}

/// The commands that measured a source's claims, one line each. If there are several, each line names its claims.
std::string measured_by(const std::vector<JudgedClaim>& claims) {
  const std::vector<SourceOrigins> sources = origins_of(claims);
  std::string text;
  for (const Origin& origin : sources.front().origins) {
    std::vector<JudgedClaim> own;
    std::vector<std::string> ids;
    for (const JudgedClaim& judged : claims) {
      if (!(judged.origin == origin)) continue;
      own.push_back(judged);
      ids.push_back(escape_markdown(judged.claim.id));
    }
    const bool alone = sources.front().origins.size() == 1;
    const std::string what = alone ? claims_summary(claims) : fmt::format("{} ({})", join(ids, ids.size()), claims_summary(own));
    text += fmt::format("\nMeasured by {}: {}.\n", origin_text(origin), what);
  }
  return text;
}

constexpr const char* kComputedHead =
    "| claim | what it says | published | measured | named only | sign | size | difference |\n|---|---|---|---|---|---|---|---|\n";
constexpr const char* kNotComputedHead =
    "| claim | what it says | published | tier | kind | why it is not computed |\n|---|---|---|---|---|---|\n";

std::string section_text(const std::string& source, const std::vector<JudgedClaim>& claims) {
  const auto computed = [&](Tier tier) {
    return select(claims, [&](const JudgedClaim& judged) { return judged.result.shown && judged.claim.tier == tier; });
  };
  return fmt::format("\n## {}\n", escape_markdown(source)) + measured_by(claims) +
         table_text("Headline claims", kComputedHead, computed(Tier::headline)) +
         table_text("Mechanism claims", kComputedHead, computed(Tier::mechanism)) +
         table_text("Not computed", kNotComputedHead, select(claims, [](const JudgedClaim& judged) { return !judged.result.shown; }));
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

std::string origin_text(const Origin& origin) { return escape_markdown(origin.command) + " with Wharf " + escape_markdown(origin.program); }

std::string claims_markdown(const std::vector<JudgedClaim>& claims, const Coverage& coverage, const std::optional<WithinRange>& within) {
  std::string text = "# Published and measured: every claim\n\n";
  if (!coverage.mark.empty()) text += fmt::format("**{}**\n\n", coverage.mark);
  text += kClaimLegend + commits_note(origins_of(claims)) + summary_markdown(claims);
  if (within && !coverage.own_claims) text += "\n" + within_range_text(*within) + "\n";
  for (const SourceOrigins& source : origins_of(claims)) {
    std::vector<JudgedClaim> own;
    std::copy_if(claims.begin(), claims.end(), std::back_inserter(own),
                 [&](const JudgedClaim& judged) { return judged.claim.source == source.source; });
    text += section_text(source.source, own);
  }
  return text;
}

std::string results_page(const std::vector<JudgedClaim>& claims, const std::vector<JudgedCharacteristics>& workloads) {
  std::string text = fmt::format(kResultsHead, claims.size());
  text += "| design | claim | what it says | published | measured | sign | size |\n|---|---|---|---|---|---|---|\n";
  for (const JudgedCharacteristics& one : workloads) {
    if (!one.source.compared) continue;
    const ComparedDesign& compared = *one.source.compared;
    const auto is_it = [&](const JudgedClaim& judged) { return judged.claim.id == compared.claim; };
    const auto judged = std::find_if(claims.begin(), claims.end(), is_it);
    if (judged == claims.end()) continue;
    const std::string page = compared.page.rfind("docs/", 0) == 0 ? compared.page.substr(5) : compared.page;
    text += fmt::format("| [{}]({}) {}", compared.design, page, headline_cells(*judged));
  }
  return text + summary_markdown(claims) + "\n" + within_range_text(within_range(workloads)) + "\n";
}

Json claims_json(const std::vector<JudgedClaim>& claims, const Origin& origin, const std::string& mark,
                 const std::optional<WithinRange>& within) {
  Json json = {{"command", origin.command}, {"program", origin.program}, {"mark", mark}, {"claims", Json::array()}};
  for (const JudgedClaim& judged : claims) json["claims"].push_back(claim_json(judged));
  json["summary"] = summary_json(claims, within);
  return json;
}

}  // namespace wharf::cli

#include "platforms/cli/claims/design_summary.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/config/tree/mistakes.h"
#include "model/base/text.h"
#include "platforms/cli/claims/characteristic_report.h"
#include "platforms/cli/claims/claim_report.h"
#include "platforms/cli/claims/claim_selection.h"
#include "platforms/cli/sweeps/designs.h"

namespace wharf::cli {
namespace {

constexpr const char *kIpc = "ipc", *kEnergy = "energy.total";

/// A change in per cent of one metric.
Claim change_of(const char* metric) {
  Claim claim;
  claim.unit = "percent";
  claim.measures.emplace_back().metric = {metric};
  return claim;
}

/// The statements that make a workload one of the design's class, about its workloads alone.
SourceCharacteristics criteria_of(const SourceCharacteristics& source) {
  SourceCharacteristics criteria = source;
  const ComparedDesign& compared = *source.compared;
  auto& members = criteria.workloads.members;
  const auto is_other = [&](const Suite::Member& member) {
    return std::find(compared.workloads.begin(), compared.workloads.end(), member.workload) == compared.workloads.end();
  };
  members.erase(std::remove_if(members.begin(), members.end(), is_other), members.end());
  if (!compared.group.empty()) criteria.single.clear();
  const auto is_no_criterion = [&](const PublishedFacts& group) { return group.of != compared.group || group.states.empty(); };
  auto& groups = criteria.groups;
  groups.erase(std::remove_if(groups.begin(), groups.end(), is_no_criterion), groups.end());
  return criteria;
}

SummarisedDesign without_publication(const std::string& design, const std::string& baseline) {
  return {{design, {}, {}}, {baseline, {}, {}}, change_of(kIpc), {}, {}};
}

SummarisedDesign published_design(const SourceCharacteristics& source, const std::vector<Claim>& claims, config::Mistakes& mistakes) {
  const ComparedDesign& compared = *source.compared;
  SummarisedDesign design = without_publication(compared.design, source.baseline.config);
  design.page = compared.page;
  design.criteria = criteria_of(source);
  const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Claim& one) { return one.id == compared.claim; });
  if (claim == claims.end() || claim->measures.empty() || !claim->measures.front().baseline.named()) {
    mistakes.add(compared.where,
                 fmt::format("compared: {} is not a claim that compares two systems; name such a claim of the design's claims.yaml",
                             quote(compared.claim)));
    return design;
  }
  design.claim = *claim;
  design.claim.measures.resize(1);  // the others measure the same with another mean
  const std::vector<std::string> known = claim->measures.front().workloads.workloads();
  for (const std::string& workload : compared.workloads)
    if (std::find(known.begin(), known.end(), workload) == known.end())
      mistakes.add(compared.where, fmt::format("compared: {} is not a workload of {}", workload, compared.claim));
  return design;
}

/// The claim's change over these workloads.
std::optional<double> change(const SummarisedDesign& design, Claim claim, const std::vector<std::string>& workloads,
                             const RecordOf& record_of) {
  Measure& measure = claim.measures.front();
  measure.system = design.system;
  measure.baseline = design.baseline;
  measure.workloads = {};
  measure.fill_ins = {};
  for (const std::string& workload : workloads) measure.workloads.members.push_back({workload, false, {}});
  const ClaimResult result = evaluate(claim, record_of);
  if (!result.missing.empty()) return std::nullopt;  // a mean over fewer workloads would be another figure
  return result.measured();
}

struct Changes {
  std::optional<double> gain, energy;
};

Changes changes_over(const SummarisedDesign& design, const std::vector<std::string>& workloads, const RecordOf& record_of) {
  if (workloads.empty()) return {};
  return {change(design, design.claim, workloads, record_of), change(design, change_of(kEnergy), workloads, record_of)};
}

bool have_classes(const std::vector<SummarisedDesign>& designs) {
  return std::any_of(designs.begin(), designs.end(), [](const SummarisedDesign& design) { return !design.class_workloads().empty(); });
}

std::vector<Published> statements_of(const WorkloadCharacteristics& workload) {
  std::vector<Published> statements;
  for (const JudgedStatement& one : workload.statements) statements.push_back({one.metric, one.stated});
  return statements;
}

std::string here_text(const WorkloadCharacteristics& workload) {
  std::string text;
  for (const JudgedStatement& one : workload.statements) {
    const Characteristic& known = characteristic(one.metric);
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", known.title, one.measured ? value_text(*one.measured, known.is_share) : "-");
  }
  return text;
}

/// Calls `see` with each workload of each class.
template <class See>
void for_each_of_classes(const std::vector<SummarisedDesign>& designs, const RecordOf& record_of, const See& see) {
  for (const SummarisedDesign& design : designs)
    for (const WorkloadCharacteristics& workload : evaluate(design.criteria, record_of).workloads) see(design, workload);
}

std::string note_of(const std::vector<SummarisedDesign>& designs, const CommonSuite& common, const RecordOf& record_of) {
  std::vector<std::string> others, outside;
  for (const SummarisedDesign& design : designs)
    if (const std::string metric = join(design.claim.measures.front().metric); metric != kIpc)
      others.push_back(design.system.config + ": " + metric);
  std::string note = "Each baseline is the same GPU without the design. Changes of IPC";
  note += (others.empty() ? "" : " (" + join(others) + ")") +
          std::string(" and of the chip's energy. published: over the whole class of the publication. ");
  if (have_classes(designs))
    note += "its class: a few workloads that meet the publication's criterion on the baseline, listed by --details and in report.html. ";
  note += fmt::format("{}: {}.", common.title, join(common.workloads));
  for_each_of_classes(designs, record_of, [&](const SummarisedDesign& design, const WorkloadCharacteristics& workload) {
    const auto fails = [](const JudgedStatement& one) { return one.measured && !one.holds; };
    if (std::any_of(workload.statements.begin(), workload.statements.end(), fails))
      outside.push_back(fmt::format("{} ({})", workload.workload, design.system.config));
  });
  return outside.empty() ? note : note + " Workloads outside their class on this baseline: " + join(outside, outside.size()) + ".";
}

Json changes_json(const Changes& changes, const std::vector<std::string>& workloads) {
  const auto value = [](std::optional<double> one) { return one ? Json(*one) : Json(); };
  return {{"workloads", workloads}, {"gain_percent", value(changes.gain)}, {"energy_percent", value(changes.energy)}};
}

}  // namespace

std::vector<SummarisedDesign> summarised_designs(const std::vector<Suite>& suites) {
  config::Mistakes mistakes;
  const std::vector<Claim> claims = project_claims(suites);
  std::vector<SummarisedDesign> published, designs;
  for (const SourceCharacteristics& source : project_characteristics(suites))
    if (source.compared) published.push_back(published_design(source, claims, mistakes));
  mistakes.throw_if_any();
  for (const DesignEntry& entry : compared_designs()) {
    const auto facts =
        std::find_if(published.begin(), published.end(), [&](const SummarisedDesign& one) { return one.system.config == entry.name; });
    if (facts == published.end()) {
      designs.push_back(without_publication(entry.name, entry.baseline));
    } else {
      designs.push_back(std::move(*facts));
      published.erase(facts);
    }
  }
  for (SummarisedDesign& rest : published) designs.push_back(std::move(rest));
  return designs;
}

Table design_table(const std::vector<SummarisedDesign>& designs, const CommonSuite& common, const RecordOf& record_of) {
  const bool classes = have_classes(designs);
  Table table{"Gain of each design", note_of(designs, common, record_of), {"design", "published"}, {}, 0};
  if (classes) table.columns.insert(table.columns.end(), {"its class", "energy"});
  table.columns.insert(table.columns.end(), {common.title, "energy", "read on"});
  for (const SummarisedDesign& design : designs) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{design.system.config});
    row.push_back(design.claim.id.empty() ? "-" : published_text(design.claim));
    const auto add = [&](const Changes& changes) {
      row.push_back(measured_text(design.claim, changes.gain));
      row.push_back(measured_text(change_of(kEnergy), changes.energy));
    };
    if (classes) add(changes_over(design, design.class_workloads(), record_of));
    add(changes_over(design, common.workloads, record_of));
    row.push_back(design.page.empty() ? "-" : design.page);
  }
  return table;
}

Table class_table(const std::vector<SummarisedDesign>& designs, const RecordOf& record_of) {
  Table table{"Workloads that each design targets",
              "The criterion is the publication's, on the design's baseline. Of the workloads that meet it (`wharf reproduce --recorded "
              "--characteristics`) and issue half a million warp instructions or more, these run shortest. They run as in `wharf "
              "reproduce`.",
              {"workload", "design", "criterion", "here", "met"},
              {},
              0};
  for_each_of_classes(designs, record_of, [&](const SummarisedDesign& design, const WorkloadCharacteristics& workload) {
    table.rows.push_back({workload.workload, design.system.config, criteria_text(statements_of(workload)),
                          workload.known() ? here_text(workload) : workload.why_missing, workload.within(false) ? "yes" : "NO"});
  });
  return table;
}

Json summary_json(const std::vector<SummarisedDesign>& designs, const CommonSuite& common, const RecordOf& record_of) {
  Json json = Json::array();
  for (const SummarisedDesign& design : designs) {
    const std::vector<std::string> own = design.class_workloads();
    Json& row = json.emplace_back(Json{{"design", design.system.config}, {"baseline", design.baseline.config}});
    row["claim"] = design.claim.id.empty() ? Json() : Json(design.claim.id);
    row["published"] = design.claim.id.empty() ? Json() : Json(published_text(design.claim));
    row["metric"] = design.claim.measures.front().metric;
    row["class"] = changes_json(changes_over(design, own, record_of), own);
    row["suite"] = changes_json(changes_over(design, common.workloads, record_of), common.workloads);
  }
  return json;
}

}  // namespace wharf::cli

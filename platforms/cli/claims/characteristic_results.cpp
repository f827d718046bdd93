#include "platforms/cli/claims/characteristic_results.h"

#include <fmt/core.h>

#include <algorithm>

#include "platforms/cli/stimuli.h"
#include "platforms/cli/sweeps/comparison.h"

namespace wharf::cli {
namespace {

bool is_of(const PublishedFacts& group, const std::string& workload) {
  const auto& members = group.members.members;
  return std::any_of(members.begin(), members.end(), [&](const Suite::Member& member) { return member.workload == workload; });
}

/// The `run` of the record; null, with the reason in `why`, where there is none.
const Json* run_of(const RunRecord* record, const Machine& machine, std::string& why) {
  if (record == nullptr) {
    why = "is not built in";
  } else if (record->status != RunStatus::done) {
    why = fmt::format("{} {}", name_of(machine), record->status == RunStatus::failed ? "failed: " + record->failure : "was not run");
  } else {
    return &record->result["run"];
  }
  return nullptr;
}

WorkloadCharacteristics measure(const SourceCharacteristics& source, const Suite::Member& member, const RecordOf& record_of) {
  WorkloadCharacteristics one;
  one.workload = member.workload;
  one.named = !member.fill_in;
  const Json* run = run_of(record_of(source.baseline, member.workload), source.baseline, one.why_missing);
  if (run == nullptr) return one;
  for (const Characteristic& characteristic : characteristics()) {
    if (run->contains(characteristic.metric) && (*run)[characteristic.metric].is_number())
      one.measured[characteristic.metric] = (*run)[characteristic.metric];
  }
  if (run->contains("warp_instructions")) one.warp_instructions = (*run)["warp_instructions"].get<double>();
  std::string no_gain;
  const Json* larger = source.larger.named() ? run_of(record_of(source.larger, member.workload), source.larger, no_gain) : nullptr;
  if (larger != nullptr && larger->value("ipc", 0.0) > 0.0 && run->value("ipc", 0.0) > 0.0)
    one.measured[kGain] = (*larger)["ipc"].get<double>() / (*run)["ipc"].get<double>();
  return one;
}

std::optional<double> figure(const WorkloadCharacteristics& workload, const std::string& metric) {
  const auto found = workload.measured.find(metric);
  return found == workload.measured.end() ? std::nullopt : std::optional<double>(found->second);
}

JudgedStatement judge(const Published& statement, const std::string& of, const std::string& where,
                      const WorkloadCharacteristics& workload) {
  JudgedStatement judged{of, where, statement.metric, statement.stated, figure(workload, statement.metric)};
  const bool is_share = characteristic(statement.metric).is_share;
  judged.holds = judged.measured && statement.stated.holds(*judged.measured, is_share);
  const auto with_merges = statement.metric == kMissRate ? figure(workload, kMissRateWithMerges) : judged.measured;
  judged.holds_with_merges = with_merges && statement.stated.holds(*with_merges, is_share);
  return judged;
}

bool passes(const WorkloadCharacteristics& workload, const PublishedFacts& group) {
  return std::all_of(group.states.begin(), group.states.end(),
                     [&](const Published& statement) { return judge(statement, group.of, group.where, workload).holds; });
}

GroupMembership membership(const PublishedFacts& group, const std::vector<WorkloadCharacteristics>& workloads) {
  GroupMembership sorted{group.of, group.where, group.states, {}, {}, {}, {}};
  for (const WorkloadCharacteristics& one : workloads) {
    if (!one.known()) continue;
    const bool is_member = is_of(group, one.workload), pass = passes(one, group);
    if (is_member && pass) sorted.pass.push_back(one.workload);
    if (is_member && !pass) (one.named ? sorted.named_but_fail : sorted.fill_ins_that_fail).push_back(one.workload);
    if (!is_member && pass) sorted.pass_but_no_members.push_back(one.workload);
  }
  return sorted;
}

JudgedAverage average(const Published& statement, const PublishedFacts& group, const std::vector<WorkloadCharacteristics>& workloads) {
  JudgedAverage judged{group.of, group.where, statement.metric, statement.stated, std::nullopt, false};
  std::vector<double> figures;
  for (const WorkloadCharacteristics& one : workloads) {
    const auto value = figure(one, statement.metric);
    if (value && is_of(group, one.workload)) figures.push_back(*value);
  }
  if (figures.empty()) return judged;
  judged.measured = statement.metric == kGain ? geometric_mean(figures) : arithmetic_mean(figures);
  judged.holds = statement.stated.holds(*judged.measured, characteristic(statement.metric).is_share);
  return judged;
}

}  // namespace

void plan_characteristics(const SourceCharacteristics& source, ClaimPlan& plan) {
  for (const std::string& workload : source.workloads.workloads()) {
    plan.add(source.baseline, workload);
    if (source.larger.named()) plan.add(source.larger, workload);
  }
}

bool WorkloadCharacteristics::within(bool merges_are_misses) const {
  return known() && !statements.empty() && std::all_of(statements.begin(), statements.end(), [&](const JudgedStatement& one) {
           return merges_are_misses ? one.holds_with_merges : one.holds;
         });
}

CharacteristicsResult evaluate(const SourceCharacteristics& source, const RecordOf& record_of) {
  std::vector<WorkloadCharacteristics> workloads;
  for (const Suite::Member& member : source.workloads.members) workloads.push_back(measure(source, member, record_of));
  return judge(source, std::move(workloads));
}

CharacteristicsResult judge(const SourceCharacteristics& source, std::vector<WorkloadCharacteristics> workloads) {
  CharacteristicsResult result;
  for (WorkloadCharacteristics& one : workloads) {
    for (const PublishedFacts& group : source.groups) {
      if (!is_of(group, one.workload)) continue;
      for (const Published& statement : group.states) one.statements.push_back(judge(statement, group.of, group.where, one));
    }
    for (const PublishedFacts& single : source.single) {
      if (single.of != workload_of(one.workload)) continue;
      for (const Published& statement : single.states) one.statements.push_back(judge(statement, single.of, single.where, one));
    }
    result.workloads.push_back(std::move(one));
  }
  for (const PublishedFacts& group : source.groups) {
    if (!group.states.empty()) result.groups.push_back(membership(group, result.workloads));
    for (const Published& statement : group.averages) result.averages.push_back(average(statement, group, result.workloads));
  }
  return result;
}

WithinRange within_range(const CharacteristicsResult& result) {
  WithinRange count;
  for (const WorkloadCharacteristics& one : result.workloads) {
    if (!one.named || one.statements.empty()) continue;
    ++count.named;
    count.within += one.within(false) ? 1 : 0;
    count.within_with_merges += one.within(true) ? 1 : 0;
  }
  return count;
}

WithinRange within_range(const std::vector<JudgedCharacteristics>& sources) {
  WithinRange sum;
  for (const JudgedCharacteristics& source : sources) {
    const WithinRange count = within_range(source.result);
    sum.named += count.named;
    sum.within += count.within;
    sum.within_with_merges += count.within_with_merges;
  }
  return sum;
}

}  // namespace wharf::cli

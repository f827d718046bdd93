#pragma once
// Evaluates characteristics: the runs needed, the measured values, and the statements that hold.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristics.h"
#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

/// Plans the runs of every workload on the source's baseline, and on the larger system where the source states a gain.
void plan_characteristics(const SourceCharacteristics& source, ClaimPlan& plan);

/// A statement about one workload, with the measured value.
struct JudgedStatement {
  std::string of, where, metric;  // of: the group that states it, or the workload
  Stated stated;
  std::optional<double> measured;
  bool holds = false;
  bool holds_with_merges = false;  // for a miss rate: holds where merges count as misses; otherwise equals `holds`
};

struct WorkloadCharacteristics {
  std::string workload;
  bool named = true;                       // named by the source; false for a fill-in
  std::map<std::string, double> measured;  // by characteristic
  std::optional<double> warp_instructions;
  std::string why_missing;  // why nothing was measured
  std::vector<JudgedStatement> statements;

  bool known() const { return why_missing.empty(); }
  /// True where all statements hold; false where there is none or nothing was measured.
  bool within(bool merges_are_misses) const;
};

/// A group with criteria: the names of workloads by membership and by whether they pass.
struct GroupMembership {
  std::string group, where;
  std::vector<Published> criteria;
  std::vector<std::string> pass, named_but_fail, fill_ins_that_fail, pass_but_no_members;
};

struct JudgedAverage {
  std::string group, where, metric;
  Stated stated;
  std::optional<double> measured;  // the geometric mean over the members for a gain, otherwise the arithmetic mean
  bool holds = false;
};

struct CharacteristicsResult {
  std::vector<WorkloadCharacteristics> workloads;
  std::vector<GroupMembership> groups;
  std::vector<JudgedAverage> averages;
};

CharacteristicsResult evaluate(const SourceCharacteristics& source, const RecordOf& record_of);

/// Judges workloads whose figures are known, one for each member of the source's suite.
CharacteristicsResult judge(const SourceCharacteristics& source, std::vector<WorkloadCharacteristics> workloads);

struct JudgedCharacteristics {
  SourceCharacteristics source;
  CharacteristicsResult result;
  Origin origin;
};

/// Number of named workloads with statements, and of those within the stated range.
struct WithinRange {
  std::size_t named = 0, within = 0, within_with_merges = 0;
};
WithinRange within_range(const CharacteristicsResult& result);
/// The sums over all sources.
WithinRange within_range(const std::vector<JudgedCharacteristics>& sources);

}  // namespace wharf::cli

#pragma once
// What runs say about characteristics: which runs are needed, what was measured, and which statements hold.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/claims/characteristics.h"
#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

/// The runs of every workload on the source's baseline, and on the larger system where something is stated about the gain.
void plan_characteristics(const SourceCharacteristics& source, ClaimPlan& plan);

/// A statement about one workload, beside what was measured.
struct JudgedStatement {
  std::string of, where, metric;  // of: the group that asks for it, or the workload
  Stated stated;
  std::optional<double> measured;
  bool holds = false;
  bool holds_with_merges = false;  // of a miss rate: where a merge counts as a miss; of all others the same as `holds`
};

struct WorkloadCharacteristics {
  std::string workload;
  bool named = true;                        // by the source, not a fill-in
  std::map<std::string, double> measured;   // by characteristic
  std::optional<double> warp_instructions;
  std::string why_missing;                  // why nothing was measured
  std::vector<JudgedStatement> statements;

  bool known() const { return why_missing.empty(); }
  /// All statements hold; false where there is none or nothing was measured.
  bool within(bool merges_are_misses) const;
};

/// A group with criteria: names of workloads by whether they are members and pass.
struct GroupMembership {
  std::string group, where;
  std::vector<Published> criteria;
  std::vector<std::string> pass, named_but_fail, fill_ins_that_fail, pass_but_no_members;
};

struct JudgedAverage {
  std::string group, where, metric;
  Stated stated;
  std::optional<double> measured;  // of a gain the geometric mean over the members, else the arithmetic one
  bool holds = false;
};

struct CharacteristicsResult {
  std::vector<WorkloadCharacteristics> workloads;
  std::vector<GroupMembership> groups;
  std::vector<JudgedAverage> averages;
};

CharacteristicsResult evaluate(const SourceCharacteristics& source, const RecordOf& record_of);

/// Named workloads of which something is stated, and those of them within the stated range.
struct WithinRange {
  std::size_t named = 0, within = 0, within_with_merges = 0;
};
WithinRange within_range(const CharacteristicsResult& result);

}  // namespace wharf::cli

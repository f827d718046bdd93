#pragma once
// What runs say about claims: which runs are needed, and the arithmetic (common section 13).

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platforms/cli/claims/claims.h"
#include "platforms/cli/runs/runner.h"

namespace wharf::cli {

/// The runs that claims and characteristics need, each once. A workload that is not built in (`available` denies it) is not planned.
class ClaimPlan {
 public:
  explicit ClaimPlan(std::function<bool(const std::string&)> available) : available_(std::move(available)) {}
  ClaimPlan(const std::vector<Claim>& claims, std::function<bool(const std::string&)> available);

  void add(const Claim& claim);
  void add(const Machine& machine, const std::string& workload);

  const std::vector<RunSpec>& specs() const { return specs_; }
  /// Where specs() has this run; nothing for a workload that is not built in.
  std::optional<std::size_t> find(const Machine& machine, const std::string& workload) const;

 private:
  std::function<bool(const std::string&)> available_;
  std::map<std::string, bool> known_workloads_;
  std::vector<RunSpec> specs_;
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>, std::size_t> index_;
};

/// Those that a measure names.
std::vector<const Machine*> machines_of(const Measure& measure);

/// "shared_l1/baseline with l1.capacity_kib=256"
std::string name_of(const Machine& machine);

/// One workload of a measure: the figure of the system, and of the baseline (1 where there is none), or why there are none.
struct WorkloadFigure {
  std::string workload;
  bool fill_in = false;
  double system = 0.0, baseline = 1.0;
  std::string why_missing;

  bool known() const { return why_missing.empty(); }
};

/// One measure. The two means are in the claim's unit; a change counts in the claim's direction, so that 80 stands for "80 % less" where
/// the claim says decrease, and -3 for "3 % more".
struct MeasureResult {
  std::vector<WorkloadFigure> figures;
  std::optional<double> completed;   // over all members
  std::optional<double> named_only;  // over those that the source names
  std::optional<double> with_merges;  // of a miss rate: over all members, where a load that joins a miss on its way counts as another one
  bool agrees = false;               // of `completed`
};

struct MissingFigure {
  std::string workload, why;
  bool operator==(const MissingFigure& other) const { return workload == other.workload && why == other.why; }
};

struct ClaimResult {
  std::vector<MeasureResult> parts;    // one a measure
  std::optional<std::size_t> shown;    // the part that stands for the claim: the first that disagrees, else the first; none: not computed
  std::optional<double> difference;    // measured - published, none for an ordering
  std::string reason;                  // why nothing could be computed
  std::vector<MissingFigure> missing;  // members that no figure, or not every part's, could be had of

  std::optional<double> measured() const { return shown ? parts[*shown].completed : std::nullopt; }
  std::optional<double> with_merges() const { return shown ? parts[*shown].with_merges : std::nullopt; }
  std::optional<double> named_only() const { return shown ? parts[*shown].named_only : std::nullopt; }
  std::optional<bool> sign_agrees() const { return shown ? std::optional<bool>(parts[*shown].agrees) : std::nullopt; }
};

/// Whether the measure's means are geometric ones (CM-35): asked for, or of ratios of IPC, time, energy or power.
bool is_geometric(const Measure& measure);

/// True where one of the claim's groups is named only in part by its source.
bool partly_named(const Claim& claim);

/// `measured` in the claim's unit and direction, from a ratio of system to baseline or from a figure: 0.2 less is 20 where the claim speaks
/// of a decrease in per cent.
double in_unit_of(const Claim& claim, const Measure& measure, double value);

/// Whether a figure goes the way that the claim says. increase, decrease: the sign of the change; of a figure that is not compared with
/// another, at least and at most the value. equal, about: within the claim's tolerance, or 5 points for per cent and a tenth of the
/// value for the rest. within: the size of the change is at most the value. An ordering asks for the sign alone.
bool sign_agrees(const Claim& claim, double measured);

/// The record of a run; nullptr where it was not planned.
using RecordOf = std::function<const RunRecord*(const Machine&, const std::string& workload)>;

ClaimResult evaluate(const Claim& claim, const RecordOf& record_of);

/// Whether a computed claim comes near the published size: within 10 points, or 25 % of the published change, whichever is larger (of what
/// is no share, 25 % of it); a change has to go the published way besides, a bound has to hold. Nothing where the claim has no size or was
/// not computed; of several measures all have to.
std::optional<bool> size_agrees(const Claim& claim, const ClaimResult& result);

/// Every run of the claim is in the plan and has ended, well or not.
bool is_finished(const Claim& claim, const RecordOf& record_of);

}  // namespace wharf::cli

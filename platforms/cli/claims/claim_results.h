#pragma once
// Evaluates claims: the runs needed, and the arithmetic (common section 13).

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

/// The runs that claims and characteristics need, each once. Leaves out workloads that are not built in, as `available` reports.
class ClaimPlan {
 public:
  explicit ClaimPlan(std::function<bool(const std::string&)> available) : available_(std::move(available)) {}
  ClaimPlan(const std::vector<Claim>& claims, std::function<bool(const std::string&)> available);

  void add(const Claim& claim);
  void add(const Machine& machine, const std::string& workload);

  const std::vector<RunSpec>& specs() const { return specs_; }
  /// The index of this run in specs(); none for a workload that is not built in.
  std::optional<std::size_t> find(const Machine& machine, const std::string& workload) const;

 private:
  std::function<bool(const std::string&)> available_;
  std::map<std::string, bool> known_workloads_;
  std::vector<RunSpec> specs_;
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>, std::size_t> index_;
};

/// The machines that a measure names.
std::vector<const Machine*> machines_of(const Measure& measure);

/// For example "shared_l1/baseline with l1.capacity_kib=256".
std::string name_of(const Machine& machine);

/// One workload of a measure: the figures of the system and of the baseline (1 where there is none), or the reason for their absence.
struct WorkloadFigure {
  std::string workload;
  bool fill_in = false;
  double system = 0.0, baseline = 1.0;
  std::string why_missing;

  bool known() const { return why_missing.empty(); }
};

/// The values of a measure over every choice of fill-ins.
struct FillInInterval {
  double low = 0.0, high = 0.0;
  bool some_agree = false, some_disagree = false;
};

/// agrees or disagrees whatever the fill-ins; undecided: the published sign holds with some fill-ins and not with others.
enum class SignVerdict { agrees, disagrees, undecided };

/// The result of one measure. The means are in the claim's unit; a change counts in the claim's direction, so that 80 means "80 % less"
/// where the claim says decrease, and -3 means "3 % more".
struct MeasureResult {
  std::vector<WorkloadFigure> figures;
  std::optional<double> completed;         // over all members
  std::optional<double> named_only;        // over the members that the source names
  std::optional<double> with_merges;       // for a miss rate: over all members, counting a load that joins a miss in flight as another miss
  std::optional<double> in_program_order;  // over the same members with each load directly before its use; none where one is so already
  std::optional<FillInInterval> over_fill_ins;  // none where the measure has no choice of fill-ins
  bool agrees = false;                          // judges `completed`
};

struct MissingFigure {
  std::string workload, why;
  bool operator==(const MissingFigure& other) const { return workload == other.workload && why == other.why; }
};

struct ClaimResult {
  std::vector<MeasureResult> parts;    // one per measure
  std::optional<std::size_t> shown;    // the part shown for the claim: the first that disagrees, else the first; none: not computed
  std::optional<double> difference;    // measured - published; none for an ordering
  std::string reason;                  // why nothing could be computed
  std::vector<MissingFigure> missing;  // members that lack a figure of some part

  std::optional<double> measured() const { return shown ? parts[*shown].completed : std::nullopt; }
  std::optional<double> with_merges() const { return shown ? parts[*shown].with_merges : std::nullopt; }
  std::optional<double> named_only() const { return shown ? parts[*shown].named_only : std::nullopt; }
  std::optional<double> in_program_order() const { return shown ? parts[*shown].in_program_order : std::nullopt; }
  std::optional<FillInInterval> over_fill_ins() const { return shown ? parts[*shown].over_fill_ins : std::nullopt; }
  std::optional<SignVerdict> sign() const;
};

/// True where the measure's means are geometric (CM-35): as requested, or for ratios of IPC, time, energy or power.
bool is_geometric(const Measure& measure);

/// The measure over its workloads with each load directly before its use; none where one of them is so already.
std::optional<Measure> in_program_order(const Measure& measure);

/// True where the source names only part of one of the claim's groups.
bool partly_named(const Claim& claim);

/// Converts a ratio of system to baseline, or a figure, to the claim's unit and direction: 0.2 less is 20 where the claim states a decrease
/// in per cent.
double in_unit_of(const Claim& claim, const Measure& measure, double value);

/// True where a figure agrees with the claim's direction. increase, decrease: by the sign of the change; a figure that is not a comparison
/// must be at least, or at most, the value. at_least, at_most: by the value. equal, about: within the claim's tolerance, by default 5
/// points for per cent and a tenth of the value otherwise. within: the size of the change is at most the value. For an ordering, only the
/// sign counts.
bool sign_agrees(const Claim& claim, double measured);

/// Returns the record of a run; nullptr where it was not planned.
using RecordOf = std::function<const RunRecord*(const Machine&, const std::string& workload)>;

ClaimResult evaluate(const Claim& claim, const RecordOf& record_of);

/// The result of a claim whose measures have these results, one each, without these members.
ClaimResult conclude(const Claim& claim, std::vector<MeasureResult> parts, std::vector<MissingFigure> missing);

/// The command and the program that measured a figure.
struct Origin {
  std::string command;  // "wharf reproduce --claims ata"
  std::string program;  // version and commit

  bool operator==(const Origin& other) const { return command == other.command && program == other.program; }
};

struct JudgedClaim {
  Claim claim;
  ClaimResult result;
  Origin origin;  // without a command where nothing was measured
};

/// True where a computed claim is near the published size: within 10 points or 25 % of the published change, whichever is larger (in units
/// other than percent and ratio, within 25 % of it). A change must also go the published way, and a bound must hold. With several measures,
/// all must be near. None where the claim has no size or was not computed.
std::optional<bool> size_agrees(const Claim& claim, const ClaimResult& result);

/// True where every run of the claim is planned and has ended, successfully or not.
bool is_finished(const Claim& claim, const RecordOf& record_of);

}  // namespace wharf::cli

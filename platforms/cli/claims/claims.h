#pragma once
// Published results as data: a source's statement about a system, and the measure that checks it here (common section 12).
//
//   systems:                                    # names of this file for configurations; a configuration's own name works as well
//     baseline: remote_sharing/baseline
//     big_l1: {config: remote_sharing/baseline, set: [l1.capacity_kib=256]}
//   claims:
//   - id: D3-001
//     where: 3.5                                # then the facts, as words
//     system: IP(15,2,0.2)
//     ...
//     measure: {system: ip_15_2_02, baseline: baseline, metric: ipc, group: d3_sharing}
//
// All fields of a measure: `metric` and `per` are metrics of result.json; a list of metrics is a sum, and per divides. `group` is a suite,
// or `workloads` a list; `without` removes some. `part` says that the change applies to a part of a whole: it is weighted by the baseline's
// share of that other metric (energy.l2 with part: energy.total), or by a constant (part: 0.08). `normalise` first divides system and
// baseline by a third system. `reduce` is mean (CM-35: the default), geometric_mean, arithmetic_mean, ratio_of_means (CM-36), max or min;
// share_of_kernels is the arithmetic mean over the workloads of the share of kernels in which the system has more than the baseline.
// `course: [0.5, 1]` measures ipc or vta.hits over the second half of a run's thread instructions, by its table warps_over_time.
// `limit_warp_instructions: N` ends every workload of the measure after N issued instructions; a single workload takes it as an argument,
// in a suite too (atax@ciao:limit_warp_instructions=N). In a list of measures, all have to agree.
//
//   sorted_by_effect:                           # groups whose members the source sorts by what its design does to them
//   - {group: d4_other, size: 12}               # and how many it has there
//
// A fill-in is chosen on the baseline, so it cannot stand for such a member. Where most members of a measure are unnamed, the claim is
// measured over every choice of fill-ins that gives the group its published size.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/config/tree/mistakes.h"
#include "stimuli/suites.h"

namespace wharf::cli {

enum class Tier { headline, mechanism };
enum class ClaimKind { simulated, cost_model, by_construction, published_constant, not_reproducible };
enum class Direction { increase, decrease, equal, about, within, at_most, at_least };
enum class Reduce { mean, geometric_mean, arithmetic_mean, ratio_of_means, max, min, share_of_kernels };

const char* name_of(Tier);
const char* name_of(ClaimKind);
const char* name_of(Direction);

/// A source that says miss rate may mean either: primary misses, or those with the loads that join one on its way.
constexpr const char *kMissRate = "l1.miss_rate", *kMissRateWithMerges = "l1.miss_rate_with_merges";

/// A configuration with settings on top; without a configuration where nothing was named.
struct Machine {
  std::string config;
  std::vector<std::string> overrides;
  config::Position where;

  bool named() const { return !config.empty(); }
};

/// Fill-ins of a group that the source sorts by its design's effect, and how many of them the group has in the source.
struct FillInChoice {
  std::vector<std::string> from;
  std::size_t size = 0;  // at most that of `from`; 0 where nothing is to be chosen
};

/// One comparison, or one figure of a system without a baseline.
struct Measure {
  Machine system, baseline, normalise;
  std::vector<std::string> metric, per;
  std::string part;                                 // the metric that `metric` is a part of; empty: none
  std::optional<double> fixed_part;                 // a constant share instead
  std::optional<std::pair<double, double>> course;  // from which to which share of the run's thread instructions; none: all
  Suite workloads;
  FillInChoice fill_ins;
  std::optional<std::uint64_t> limit_warp_instructions;  // of each workload, and part of its text
  Reduce reduce = Reduce::mean;
};

struct Claim {
  std::string id, source, where, system, baseline, metric, workloads, unit, note;
  std::optional<double> value;  // in `unit`: the size of a change, or the figure; none for an ordering
  bool relative = true;         // the value compares system with baseline
  Direction direction = Direction::increase;
  Tier tier = Tier::mechanism;
  ClaimKind kind = ClaimKind::simulated;
  std::optional<double> tolerance;  // of equal and about, in `unit`
  std::string reason;               // why it cannot be computed
  std::vector<Measure> measures;    // empty where it cannot be computed
  config::Position position;
};

/// Loads the claims of one file. Throws InputError with every mistake as file:line:column.
std::vector<Claim> load_claims(const std::filesystem::path& file, const std::vector<Suite>& suites);

/// Gives claims of a user's file without measure or reason those of the claim of the same id in `known`. The facts, such as the value, stay
/// the user's.
void adopt_measures(std::vector<Claim>& claims, const std::vector<Claim>& known);

}  // namespace wharf::cli

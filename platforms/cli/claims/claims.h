#pragma once
// Published results as data: what a source says about a system, and how this program measures it (common section 12).
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
// A measure in full: `metric` and `per` are metrics of result.json, lists of them are sums, and per divides. `group` is a suite, or
// `workloads` a list; `without` takes some away. `part` says that the change is one of a part of something: it then counts for what the
// baseline's metric is of that other metric (energy.l2 with part: energy.total), or for so much of it (part: 0.08). `normalise` divides system and baseline by a third system first. `reduce` is mean (CM-35:
// the default), geometric_mean, arithmetic_mean, ratio_of_means (CM-36), max or min; share_of_kernels is the share of each workload's
// kernels in which the system has more than the baseline, their arithmetic mean. `course: [0.5, 1]` measures ipc or vta.hits over the
// second half of a run's thread instructions, by its table warps_over_time. `limit_warp_instructions: N` ends every workload of the measure
// when so many have been issued; one workload alone has it as an argument, in a suite too (atax@ciao:limit_warp_instructions=N). A list of measures: all of them have to agree.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/config/mistakes.h"
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

/// A configuration with settings on top; no configuration where nothing was named.
struct Machine {
  std::string config;
  std::vector<std::string> overrides;
  config::Position where;

  bool named() const { return !config.empty(); }
};

/// One comparison, or one figure of one system where there is no baseline.
struct Measure {
  Machine system, baseline, normalise;
  std::vector<std::string> metric, per;
  std::string part;                   // of which metric `metric` is a part; empty: of none
  std::optional<double> fixed_part;   // so much of it, whatever the runs say
  std::optional<std::pair<double, double>> course;  // of the run's thread instructions, from which share to which; none: all of them
  Suite workloads;
  std::optional<std::uint64_t> limit_warp_instructions;  // of each of them, and so in their texts
  Reduce reduce = Reduce::mean;
};

struct Claim {
  std::string id, source, where, system, baseline, metric, workloads, unit, note;
  std::optional<double> value;  // in `unit`: the size of a change, or the figure itself; none for an ordering
  bool relative = true;         // whether the value compares system with baseline
  Direction direction = Direction::increase;
  Tier tier = Tier::mechanism;
  ClaimKind kind = ClaimKind::simulated;
  std::optional<double> tolerance;  // of equal and about, in `unit`
  std::string reason;               // why it cannot be computed
  std::vector<Measure> measures;    // empty: it cannot
  config::Position position;
};

/// The claims of one file. Throws InputError with every mistake as file:line:column.
std::vector<Claim> load_claims(const std::filesystem::path& file, const std::vector<Suite>& suites);

/// Claims of a user's file with the same id as one of `known`, and without measure or reason of their own, take those of the known claim.
/// The facts, such as the value, stay the user's.
void adopt_measures(std::vector<Claim>& claims, const std::vector<Claim>& known);

}  // namespace wharf::cli

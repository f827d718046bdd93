#pragma once
// Compares runs: what `compare` prints and writes, computed from the result.json of each run.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct Outcome {
  std::string config, stimulus;
  Json run;                       // metrics of the whole run; null where it did not finish
  std::string failure;            // why it did not finish
  std::string chosen;             // the choice of the configuration's search; empty where it has none
  Json tables = {};               // of the result; null where there are none
  Json sample = {};               // `sampled` and `kernels` of the result; null where the run was whole
  std::string published = {};     // the value that the search's source found; empty where it names none
  Json warnings = Json::array();  // of the result
};

/// A configuration that fails the checks on this GPU.
struct Refused {
  std::string config, reason;
};

/// A combination of designs, and the configurations of its designs alone.
struct Combination {
  std::string config;
  std::vector<std::string> alone;
};

/// Configurations of one GPU, and the outcomes of their runs.
struct Comparison {
  std::vector<std::string> configs = {}, stimuli = {};  // in the user's order
  std::string baseline = {};                            // one of configs
  std::vector<Outcome> outcomes = {};
  std::vector<Refused> refused = {};           // configurations that do not fit on this GPU
  std::vector<std::string> resolved = {};      // one per configuration, without values per workload
  std::vector<double> launch_us = {};          // likewise: front_end.kernel_launch_cycles
  std::vector<Combination> combinations = {};  // those of the configs that combine several others

  /// The name of one of the stimuli in tables (stimuli/recorded_names.h).
  std::string shown(const std::string& stimulus) const;
  const Outcome* outcome(const std::string& config, const std::string& stimulus) const;
  /// nullptr where the run did not finish.
  const Json* find(const std::string& config, const std::string& stimulus) const;
  /// A metric of a run; NaN where there is none.
  double value(const std::string& config, const std::string& stimulus, const std::string& metric) const;
  /// The metric relative to the baseline's; NaN where that is zero.
  double relative(const std::string& config, const std::string& stimulus, const std::string& metric) const;
  /// True where thread instructions equal the baseline's; under a limit, where warp instructions agree within 1 %; of samples, where they are of
  /// equal programs.
  bool same_work(const std::string& config, const std::string& stimulus) const;
  /// T_baseline / T; NaN where a run is missing or the two did unequal work (common section 12).
  double speed_up(const std::string& config, const std::string& stimulus) const;
  /// Half of the 95 % interval of speed_up(); NaN where there is none, or a run was not sampled.
  double speed_up_half_width(const std::string& config, const std::string& stimulus) const;
  /// Speed-up divided by the ratio of power, and by that of energy (common section 12), of the whole chip; NaN where one is missing.
  double per_watt(const std::string& config, const std::string& stimulus) const;
  double per_energy(const std::string& config, const std::string& stimulus) const;
  /// Ratios to the baseline at equal work: energy of the chip, bytes of flits in all networks, bytes to and from DRAM; NaN as in
  /// speed_up().
  double energy(const std::string& config, const std::string& stimulus) const;
  double noc_bytes(const std::string& config, const std::string& stimulus) const;
  double dram_bytes(const std::string& config, const std::string& stimulus) const;
  /// The configurations that this one combines; empty for a single design.
  std::vector<std::string> parts_of(const std::string& config) const;
  /// `effect` of a combination divided by the product of its parts'; NaN for a single design or where a run is missing.
  double over_product(double (Comparison::*effect)(const std::string&, const std::string&) const, const std::string& config,
                      const std::string& stimulus) const;
};

/// Returns a figure of a configuration and stimulus; NaN where there is none.
using ValueOf = std::function<double(const std::string& config, const std::string& stimulus)>;
enum class Mean : std::uint8_t { geometric, arithmetic };
const char* name_of(Mean mean);

/// Mean over the stimuli for which the configuration has a figure (for the geometric mean, a positive one); NaN where there is none.
double mean_over_stimuli(const Comparison& comparison, const std::string& config, const ValueOf& value, Mean mean);

/// A figure that cannot be given.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Arithmetic mean, and geometric mean of positive values (CM-35); NaN for an empty list.
double arithmetic_mean(const std::vector<double>& values);
double geometric_mean(const std::vector<double>& values);

/// The headline: one row per stimulus with the baseline's L1 miss rate, replication ratio and IPC, and for every other configuration the
/// speed-up and the performance per watt and per joule.
Table headline_table(const Comparison& comparison);
/// The choices of the configurations' searches, one row per stimulus, with published values in brackets; without rows where there is none.
Table chosen_table(const Comparison& comparison);
/// One table per metric, one column per configuration.
std::vector<Table> detail_tables(const Comparison& comparison);

/// `groups` must not be empty, and its configurations must be distinct; the runs and means of all groups are written together.
Json comparison_json(const std::vector<Comparison>& groups);
std::string comparison_csv(const std::vector<Comparison>& groups);

}  // namespace wharf::cli

#pragma once
// Runs beside each other: what `compare` prints and writes, computed from the result.json of each run.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct Outcome {
  std::string config, stimulus;
  Json run;             // metrics of the whole run; null where it did not finish
  std::string failure;  // why it did not
  std::string chosen;   // what the search of the configuration chose; empty where it has none
  Json tables = {};     // of the result; null where there is none
  std::string published = {};  // the value that the search's source found; empty where it names none
};

/// A configuration that the checks do not let stand on this GPU.
struct Refused {
  std::string config, reason;
};

/// Designs together, and the configurations of each of them alone.
struct Combination {
  std::string config;
  std::vector<std::string> alone;
};

/// Configurations of one GPU and what they are compared with.
struct Comparison {
  std::vector<std::string> configs = {}, stimuli = {};  // in the order of the user
  std::string baseline = {};                            // one of configs
  std::vector<Outcome> outcomes = {};
  std::vector<Refused> refused = {};       // what would have stood here
  std::vector<std::string> resolved = {};  // a configuration each, without values per workload
  std::vector<Combination> combinations = {};  // those of the configs that are several others together

  const Outcome* outcome(const std::string& config, const std::string& stimulus) const;
  /// nullptr where that run did not finish.
  const Json* find(const std::string& config, const std::string& stimulus) const;
  /// A metric of that run; NaN where there is none.
  double value(const std::string& config, const std::string& stimulus, const std::string& metric) const;
  /// The same by the baseline's; NaN where that is zero.
  double relative(const std::string& config, const std::string& stimulus, const std::string& metric) const;
  /// As many thread instructions as the baseline's; under a limit, as many warp instructions to within 1 %.
  bool same_work(const std::string& config, const std::string& stimulus) const;
  /// T_baseline / T; NaN where a run is missing or the two did unequal work (common section 12).
  double speed_up(const std::string& config, const std::string& stimulus) const;
  /// Speed-up by the ratio of power, and by that of energy (common section 12), of the whole chip; NaN where one of them is missing.
  double per_watt(const std::string& config, const std::string& stimulus) const;
  double per_energy(const std::string& config, const std::string& stimulus) const;
  /// By the baseline's, at equal work: energy of the chip, bytes of flits in all networks, bytes that DRAM moves; NaN as speed_up().
  double energy(const std::string& config, const std::string& stimulus) const;
  double noc_bytes(const std::string& config, const std::string& stimulus) const;
  double dram_bytes(const std::string& config, const std::string& stimulus) const;
  /// The configurations that this one combines; none where it is a single design.
  std::vector<std::string> parts_of(const std::string& config) const;
  /// `effect` of a combination by the product of its parts'; NaN where it is a single design or a run is missing.
  double over_product(double (Comparison::*effect)(const std::string&, const std::string&) const, const std::string& config,
                      const std::string& stimulus) const;
};

/// A figure of a run: of a configuration and a stimulus; NaN where there is none.
using ValueOf = std::function<double(const std::string& config, const std::string& stimulus)>;
enum class Mean : std::uint8_t { geometric, arithmetic };
const char* name_of(Mean mean);

/// Over the stimuli for which the configuration has a figure, a geometric one over positive figures; NaN for none.
double mean_over_stimuli(const Comparison& comparison, const std::string& config, const ValueOf& value, Mean mean);

/// Null for NaN, which JSON does not have.
Json number_or_null(double value);

/// Arithmetic mean, and geometric mean of positive values (CM-35); NaN for nothing.
double arithmetic_mean(const std::vector<double>& values);
double geometric_mean(const std::vector<double>& values);

/// The headline: a row a stimulus, the baseline's L1 miss rate, replication ratio and IPC, and of every other configuration the speed-up and
/// the performance per watt and per joule.
Table headline_table(const Comparison& comparison);
/// What the searches of configurations chose, a row a stimulus, and in brackets what has been published; without rows where there is none.
Table chosen_table(const Comparison& comparison);
/// A table a metric, a column a configuration.
std::vector<Table> detail_tables(const Comparison& comparison);

/// `groups`: at least one, without a configuration in common; the runs and means of all stand together.
Json comparison_json(const std::vector<Comparison>& groups);
std::string comparison_csv(const std::vector<Comparison>& groups);

}  // namespace wharf::cli

#pragma once
// Runs beside each other: what `compare` prints and writes, computed from the result.json of each run.

#include <string>
#include <vector>

#include "platforms/cli/result.h"
#include "platforms/cli/table.h"

namespace wharf::cli {

struct Outcome {
  std::string config, stimulus;
  Json run;             // metrics of the whole run; null where it did not finish
  std::string failure;  // why it did not
  std::string chosen;   // what the search of the configuration chose; empty where it has none
};

struct Comparison {
  std::vector<std::string> configs, stimuli;  // in the order of the user
  std::string baseline;                       // one of configs
  std::vector<Outcome> outcomes;

  /// nullptr where that run did not finish.
  const Json* find(const std::string& config, const std::string& stimulus) const;
  /// T_baseline / T; NaN where a run is missing or the two did unequal work (common.md section 12).
  double speed_up(const std::string& config, const std::string& stimulus) const;
};

/// Arithmetic mean, and geometric mean of positive values (CM-35); NaN for nothing.
double arithmetic_mean(const std::vector<double>& values);
double geometric_mean(const std::vector<double>& values);

/// The headline: a row a stimulus, the baseline's L1 miss rate, replication ratio and IPC, the speed-up of every other configuration.
Table headline_table(const Comparison& comparison);
/// A table a metric, a column a configuration.
std::vector<Table> detail_tables(const Comparison& comparison);

Json comparison_json(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);

/// One self-contained page: no script, no external resource, readable at 390 and at 1280 pixels.
std::string report_html(const std::string& title, const std::string& introduction, const std::vector<Table>& tables);

}  // namespace wharf::cli

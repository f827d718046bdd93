#pragma once
// Writes the results of a run: result.json, stats.csv, and the totals under Accel-Sim's names. Everything outside `host` is a function of
// the inputs alone.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/cli/terminal/table.h"
#include "platforms/measure/interval_metrics.h"
#include "platforms/simulation.h"

namespace wharf::cli {

/// A finished (or stopped) run, as input of the writers.
struct Measurement {
  const stats::Registry& statistics;
  const Interval& run;
  const std::vector<Interval>& kernels;
  const std::vector<Interval>& windows;
  std::vector<std::pair<std::string, std::uint64_t>> warnings;  // text and count
  bool partial = false;
  std::string failure;  // why the simulation failed; empty where it did not
  bool reached_limit = false;  // the stimulus's own limit of instructions
  std::size_t warm_up = 0;     // kernels before the measured ones
};

/// The whole document. The caller supplies `inputs` and `host`.
Json result_json(const Json& inputs, const Measurement& measured, const Json& host);

/// One row per instance of a counter: path, metric, unit, value.
std::string stats_csv(const Measurement& measured);

/// Totals with the names and the counting of Accel-Sim (CM-38: sectors), one `key = value` per line.
std::string accelsim_stats(const Measurement& measured);

/// Cycles, work and the first metrics of the run: a figure a row, unrounded.
Table run_table(const Json& result);
/// A row for each of the first kernels.
Table kernel_table(const Json& result);

/// A summary of the run in a few lines.
std::string summary(const Json& result);

}  // namespace wharf::cli

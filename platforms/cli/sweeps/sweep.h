#pragma once
// The results of a sweep: what `wharf sweep` prints and writes.

#include <string>
#include <vector>

#include "platforms/cli/runs/runner.h"
#include "platforms/cli/sweeps/sweep_spec.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct Sweep {
  SweepSpec spec;
  std::vector<RunRecord> records;  // line by line, each with its stimuli in order

  const RunRecord& record(std::size_t line, std::size_t stimulus) const { return records[line * spec.stimuli.size() + stimulus]; }
};

/// One table per metric: one row per line, one column per stimulus where they are few, and the mean. The choice of a search is in brackets.
std::vector<Table> sweep_tables(const Sweep& sweep);

/// One sentence per failed result.
std::vector<std::string> sweep_failures(const Sweep& sweep);

Json sweep_json(const Sweep& sweep);
/// One row per line and stimulus, one column per varied key and metric.
std::string sweep_csv(const Sweep& sweep);

}  // namespace wharf::cli

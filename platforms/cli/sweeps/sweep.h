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
  std::vector<RunRecord> records;  // line after line, each with its stimuli in order

  const RunRecord& record(std::size_t line, std::size_t stimulus) const { return records[line * spec.stimuli.size() + stimulus]; }
};

/// A table a metric: a row a line, a column a stimulus where they are few, and the mean. What a search chose stands in brackets.
std::vector<Table> sweep_tables(const Sweep& sweep);

/// A sentence for each result that is missing.
std::vector<std::string> sweep_failures(const Sweep& sweep);

Json sweep_json(const Sweep& sweep);
/// A row a line and stimulus, a column a varied key and metric.
std::string sweep_csv(const Sweep& sweep);

}  // namespace wharf::cli

#pragma once
// Compares the speed of this program with that of another simulator on the same traces: bench --against. The two run alternately, so that
// a change of the machine's load meets both, and each pair gives a ratio of its own.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct PairedBench {
  std::string command;        // for a shell; every {trace} becomes the folder of a trace
  std::string configuration;  // what this program runs the traces on
  std::vector<std::string> traces;
  std::uint64_t pairs = 5;    // for each trace
  std::filesystem::path out;  // folder of the logs and of this program's results
};

/// One run of each program on a trace.
struct Pair {
  std::string trace;
  JobResult wharf, other;
};

/// The traces of the test data, which a reference simulator recorded.
std::vector<std::string> reference_traces();

/// Measures all pairs; returns those that are complete where interrupted. Throws InputError if the command names no {trace}, if a trace does
/// not exist, or if a run fails.
std::vector<Pair> measure_pairs(const PairedBench& bench);

/// One row per trace: the medians of the ratios (the other program / this one) with their least and largest value, and of both programs'
/// seconds and memory; then the geometric mean of the ratios over the traces.
Table pairs_table(const std::vector<Pair>& pairs);

Json pairs_json(const std::vector<Pair>& pairs);

}  // namespace wharf::cli

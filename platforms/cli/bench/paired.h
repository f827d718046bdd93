#pragma once
// Compares the speed of two commands that do the same: this program and another simulator on traces (bench --against), or one thread and
// several (bench --threads). The two run alternately, so that a change of the machine's load meets both, and each pair gives a ratio of its own.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct AgainstOther {
  std::string command;        // for a shell; every {trace} becomes the folder of a trace
  std::string configuration;  // what this program runs the traces on
  std::vector<std::string> traces;
  std::filesystem::path out;  // folder of the logs and of this program's results
};

/// Two commands that do the same.
struct Contest {
  std::string name;
  Job own, other;
  std::string own_text, other_text;  // what fails, for messages
};

/// One run of each.
struct Pair {
  std::string name;  // of the contest
  JobResult own, other;
};

/// The traces of the test data, which a reference simulator recorded.
std::vector<std::string> reference_traces();

/// One per trace. Throws InputError if the command names no {trace}, or if a trace does not exist.
std::vector<Contest> contests_of(const AgainstOther& bench);
/// This program with one thread and with `threads`, at 50 % loads on machines of different designs, in the folder `out`.
std::vector<Contest> contests_of_threads(unsigned threads, const std::filesystem::path& out);

/// Measures `count` pairs of each; returns those that are complete where interrupted. Throws InputError if a run fails.
std::vector<Pair> measure_pairs(const std::vector<Contest>& contests, std::uint64_t count);

/// One row per trace: the medians of the ratios (the other program / this one) with their least and largest value, and of both programs'
/// seconds and memory; then the geometric mean of the ratios over the traces.
Table pairs_table(const std::vector<Pair>& pairs);

Json pairs_json(const std::vector<Pair>& pairs);

/// One row per machine: how many times faster several threads are, by wall time, and what they cost.
Table threads_table(const std::vector<Pair>& pairs, unsigned threads);
Json threads_json(const std::vector<Pair>& pairs);

}  // namespace wharf::cli

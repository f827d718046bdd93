#pragma once
// A run to be explained: named by the folder of a finished run, or by a configuration and a stimulus.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "platforms/cli/runs/runner.h"

namespace wharf::cli {

struct ExplainedRun {
  std::string name;  // as the user named it
  RunSpec spec;
  Json result;                 // with a cycle stack; null until it is made
  std::string recording = {};  // of the program that was run, if it was recorded
};

/// For a folder with a result.json: its specification, and its result if that has a cycle stack. Otherwise a configuration, with the given
/// stimulus, trace, settings, seed and limits. Throws InputError where the folder's result.json cannot be used.
ExplainedRun named_run(const std::string& name, const RunSpec& given);

/// Sets a key ("l1.ways=8"), in place of an earlier setting of it.
void set_key(RunSpec& spec, const std::string& setting);

/// The purpose of the runs: to count their slots, or only to measure their time, which costs the host less.
enum class Counting : std::uint8_t { slots, time };

/// Performs the runs that have no result yet, in parallel, with records in options.out. Throws InputError as run_batch does, and
/// SimulationError where one fails. Returns false where the user stopped it.
bool make_runs(const std::vector<ExplainedRun*>& runs, const RunnerOptions& options, std::ostream& err,
               Counting counting = Counting::slots);

}  // namespace wharf::cli

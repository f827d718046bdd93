#pragma once
// The runner behind compare, sweep and reproduce: many runs, one process each, on all cores. <out>/runs.sqlite (run_database.h) keeps
// finished runs, which never run again with the same program, configuration and stimulus.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/run_shard.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/terminal/progress_bar.h"

namespace wharf::cli {

enum class RunStatus : std::uint8_t {
  done,     // result is complete
  failed,   // `failure` gives the reason
  not_run,  // the batch was interrupted before it ended
};

struct RunRecord {
  RunStatus status = RunStatus::not_run;
  Json result;                 // result.json without its `windows`; null unless done
  std::string failure;         // the exit of the run, and its last line of output
  std::string chosen;          // for a configuration with `search:`: the value whose run this is
  std::string published = {};  // the value that the source found, if the search names it
};

/// `records[i]` belongs to `specs[i]`.
struct RunBatch {
  std::vector<RunRecord> records;
  bool interrupted = false;               // Ctrl-C; runs that had finished are kept
  std::size_t runs = 0, open = 0;         // distinct runs of the plan, and those without an end: of other parts, or stopped by Ctrl-C
  std::vector<unsigned> open_parts = {};  // the parts of those without an end, in ascending order
};

/// The help of the option that sets RunnerOptions::dry, and of its like in commands without a runner.
inline constexpr const char* kDryRunHelp = "check the arguments and the files that they name, report what would run, and run nothing";

struct RunnerOptions {
  std::filesystem::path out;                    // holds runs.sqlite and one folder per run
  unsigned jobs = 1;                            // processes at a time
  ProgressStyle progress = ProgressStyle::bar;  // none: failures are still reported
  Shard shard = {};                             // runs of other parts are read where they have a record, but not made
  bool dry = false;                             // nothing runs: the plan alone is made, and said
  unsigned most_threads = 8;                    // of a run, where fewer are left than jobs; more gain little (docs/performance.md)
  std::filesystem::path known = {};             // a folder whose finished runs count as well; none of its files is needed
};

/// Runs every spec that has no record. Specs that denote the same run (equal resolved configuration, stimulus, seed ...) share one. A
/// configuration with `search:` runs once per value, and its record is that of the winner. A killed run is repeated once; after another
/// kill, or any other failure, its record says so and the others continue. Writes failures and progress, with the estimated time left, to
/// `err`. Throws InputError, before anything runs, for a bad configuration or stimulus, or where `out` cannot be written.
RunBatch run_batch(const std::vector<RunSpec>& specs, const RunnerOptions& options, std::ostream& err);

/// True where a run of the batch has failed.
bool has_failed(const RunBatch& batch);

/// "part 1/3 is done: 4 of 12 runs have ended in p1".
std::string part_text(const RunBatch& batch, const RunnerOptions& options);

/// A distinct run of a plan.
struct ExpectedRun {
  std::string name;
  double seconds_of_project, seconds;  // by the project's times alone, which decide its part, and by those of `out` as well
  bool finished;                       // it has a record in `out`
};

/// Returns the runs that run_batch() would perform with these options, and runs nothing. Throws InputError as that does.
std::vector<ExpectedRun> expected_runs(const std::vector<RunSpec>& specs, const RunnerOptions& options);

}  // namespace wharf::cli

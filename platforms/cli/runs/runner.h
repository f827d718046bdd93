#pragma once
// The runner under compare, sweep and reproduce: many runs, one process each, on all cores. What has run is kept in
// <out>/runs.sqlite (run_database.h) and never runs again with the same program, configuration and stimulus.

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/run_shard.h"
#include "platforms/cli/runs/run_spec.h"

namespace wharf::cli {

enum class RunStatus : std::uint8_t {
  done,     // result is complete
  failed,   // failure says why
  not_run,  // the batch was interrupted before it ended
};

struct RunRecord {
  RunStatus status = RunStatus::not_run;
  Json result;          // result.json without its `windows`; null unless done
  std::string failure;  // how the run ended, and the last line that it wrote
  std::string chosen;   // for a configuration with `search:`: the value whose run this is
  std::string published = {};  // and the one that its source found, if the search names it
};

/// `records[i]` belongs to `specs[i]`.
struct RunBatch {
  std::vector<RunRecord> records;
  bool interrupted = false;  // Ctrl-C; what had finished until then is kept
  std::size_t runs = 0, open = 0;  // of the plan, each once; and of these without an end: another part's, or those that Ctrl-C stopped
};

struct RunnerOptions {
  std::filesystem::path out;  // holds runs.sqlite and a folder a run
  unsigned jobs = 1;          // processes at a time
  bool quiet = false;         // no progress; failures are still reported
  Shard shard = {};           // runs of other parts are taken where they have a record, and not made
};

/// Runs every spec that has no record yet. Specs that mean the same run (equal resolved configuration, stimulus, seed ...) share one.
/// A configuration with `search:` is run once a value, and its record is that of the winner. A run that is killed is tried once
/// more; then, and after any other failure, its record says so and the others go on. Progress, with the time that is left by what similar
/// runs took, and failures are written to `err`.
/// Throws InputError, before anything runs, for a bad configuration or stimulus or where `out` cannot be written.
RunBatch run_batch(const std::vector<RunSpec>& specs, const RunnerOptions& options, std::ostream& err);

}  // namespace wharf::cli

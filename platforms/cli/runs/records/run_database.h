#pragma once
// runs.sqlite: one record per run, for later commands and for queries in SQL:
//
//   sqlite3 out/compare/runs.sqlite "select config, stimulus, ipc, l1_miss_rate from runs where status = 'done'"
//
// Two processes may use it at once. A record is found by its key: the resolved configuration, the stimulus with its arguments (for a trace
// its contents), the seed and other options, and the program.

#include <filesystem>
#include <optional>
#include <string>

#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/records/sqlite.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/run_times.h"

namespace wharf::cli {

/// The identity of a run, known before it starts. `program` is the fingerprint of the binary: an uncommitted change makes another program,
/// even for the same commit.
struct RunIdentity {
  RunSpec spec;
  Json inputs;  // inputs_json(spec)
  std::string program;

  std::string key() const;
};

class RunDatabase {
 public:
  /// Opens `folder`/runs.sqlite, or creates it and the folders above it. Throws InputError.
  explicit RunDatabase(const std::filesystem::path& folder);

  /// The result of a completed run; none where it has not completed.
  std::optional<Json> find(const std::string& key);

  /// Returns the stored result: the result without `windows`, which are much longer than the rest and stay in the run's folder.
  Json add_done(const RunIdentity& run, Json result);

  /// Adds the durations of its runs, including those of other programs, with the latest of each last.
  void add_times_to(RunTimes& times);

  /// Records a failure, which never replaces a result.
  void add_failed(const RunIdentity& run, const std::string& failure);

 private:
  void add(const RunIdentity& run, const std::string& failure, const Json& result);

  Sqlite sqlite_;
};

}  // namespace wharf::cli

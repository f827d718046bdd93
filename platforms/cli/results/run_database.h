#pragma once
// runs.sqlite: one record a run, kept for later commands and for questions in SQL:
//
//   sqlite3 out/compare/runs.sqlite "select config, stimulus, ipc, l1_miss_rate from runs where status = 'done'"
//
// Two processes may use it at once. A record is found by its key: the resolved configuration, the stimulus with its arguments (of a
// trace its contents), the seed and other options, and the program itself.

#include <filesystem>
#include <optional>
#include <string>

#include "platforms/cli/results/result.h"
#include "platforms/cli/results/sqlite.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/run_times.h"

namespace wharf::cli {

/// What is known of a run before it starts. `program` is the fingerprint of the binary: an uncommitted change makes another
/// program though it has the same commit.
struct RunIdentity {
  RunSpec spec;
  Json inputs;  // inputs_json of it
  std::string program;

  std::string key() const;
};

class RunDatabase {
 public:
  /// Opens `folder`/runs.sqlite or makes it and the folders above it. Throws InputError.
  explicit RunDatabase(const std::filesystem::path& folder);

  /// The result of the run where it was done.
  std::optional<Json> find(const std::string& key);

  /// Returns what it kept: the result without `windows`, which are many times as long as the rest and stay in the run's folder.
  Json add_done(const RunIdentity& run, Json result);

  /// How long its runs took, those of other programs too, the latest of each last.
  void add_times_to(RunTimes& times);

  /// A failure never takes the place of a result.
  void add_failed(const RunIdentity& run, const std::string& failure);

 private:
  void add(const RunIdentity& run, const std::string& failure, const Json& result);

  Sqlite sqlite_;
};

}  // namespace wharf::cli

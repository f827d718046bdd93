#include "platforms/cli/results/run_merge.h"

#include <fmt/core.h>

#include "model/base/error.h"
#include "platforms/cli/results/finished_run.h"
#include "platforms/cli/results/sqlite.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

/// True where a commit identifies one program on every machine.
bool is_exact(const std::string& commit) { return commit != "unknown" && commit.find('+') == std::string::npos; }

/// The identity of the run in this program.
RunIdentity identity_of(const Json& result, const std::string& program) {
  const Json& inputs = result["inputs"];
  RunIdentity identity;
  identity.inputs = inputs;
  identity.program = program;
  identity.spec.config = inputs.value("config", std::string());
  identity.spec.overrides = inputs.value("set", std::vector<std::string>());
  identity.spec.stimulus = inputs.value("stimulus", std::string());
  identity.spec.trace = inputs.value("trace", std::string());
  identity.spec.seed = inputs.value("seed", std::uint64_t{1});
  return identity;
}

bool is_readable(const Json& result) {
  return result.is_object() && result.contains("run") && result.contains("host") && result.contains("inputs") &&
         result["inputs"].contains("config_hash") && result["inputs"].value("version", std::string()) == kVersion;
}

}  // namespace

Merged merge_runs(RunDatabase& database, const fs::path& part) {
  const fs::path file = part / "runs.sqlite";
  if (!fs::is_regular_file(file))
    throw InputError(fmt::format("--merge: {}: has no runs.sqlite; name the folders that --out named where the parts ran", part.string()));
  const RunDatabase checked(part);  // throws for a database of another version
  Sqlite source(file);
  Statement row(source, "SELECT commit_id, program, result FROM runs WHERE status = 'done'");
  const std::string own = program_fingerprint(), commit = commit_id();
  Merged merged;
  std::string other_commit;
  while (row.step()) {
    const bool same = row.text(1) == own || (row.text(0) == commit && is_exact(commit));
    if (!same) {
      ++merged.others;
      other_commit = row.text(0);
      continue;
    }
    Json result = Json::parse(row.text(2), nullptr, /*allow_exceptions=*/false);
    if (!is_readable(result)) {
      ++merged.broken;
      continue;
    }
    const RunIdentity identity = identity_of(result, own);
    database.add_done(identity, std::move(result));
    ++merged.runs;
  }
  if (merged.runs == 0 && merged.others > 0) {
    throw InputError(fmt::format("--merge: {}: its {} runs are of commit {}, and this program is of {}: build {} to merge them, or run that part "
                                 "again with this program",
                                 part.string(), merged.others, other_commit, commit, other_commit));
  }
  return merged;
}

}  // namespace wharf::cli

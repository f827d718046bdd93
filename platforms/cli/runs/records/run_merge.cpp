#include "platforms/cli/runs/records/run_merge.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/program_fingerprint.h"
#include "platforms/cli/runs/records/sqlite.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/plural.h"
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
  identity.spec.seed = inputs.value("seed", std::uint64_t{1});
  return identity;
}

bool is_readable(const Json& result) {
  return result.is_object() && result.contains("run") && result.contains("host") && result.contains("inputs") &&
         result["inputs"].contains("config_hash") && result["inputs"].value("version", std::string()) == kVersion;
}

std::vector<std::string> failures_in(Sqlite& source, const std::string& program) {
  Statement row(source, "SELECT config, overrides, stimulus, failure FROM runs WHERE status = 'failed' AND program = ? ORDER BY finished");
  row.bind(0, program);
  std::vector<std::string> failures;
  while (row.step()) {
    RunSpec spec;
    spec.config = row.text(0);
    const Json settings = Json::parse(row.text(1), nullptr, /*allow_exceptions=*/false);
    if (settings.is_array()) spec.overrides = settings.get<std::vector<std::string>>();
    failures.push_back(fmt::format("{} {}: {}", system_of(spec), row.text(2), row.text(3)));
  }
  return failures;
}

bool has_runs(const fs::path& folder) { return fs::is_regular_file(folder / "runs.sqlite"); }

/// The folder itself, or those in it with records.
std::vector<fs::path> parts_in(const fs::path& folder) {
  std::vector<fs::path> parts;
  if (!has_runs(folder) && fs::is_directory(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (has_runs(entry.path())) parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  return parts.empty() ? std::vector<fs::path>{folder} : parts;
}

}  // namespace

Merged merge_runs(RunDatabase& database, const fs::path& part) {
  const fs::path file = part / "runs.sqlite";
  if (!has_runs(part)) throw InputError(fmt::format("--merge: {}: has no runs.sqlite; name the --out folders of the parts", part.string()));
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
  merged.failures = failures_in(source, own);
  if (merged.runs == 0 && merged.others > 0) {
    throw InputError(fmt::format(
        "--merge: {}: its {} runs come from commit {}, but this program comes from {}: build {} to merge them, or run that part "
        "again with this program",
        part.string(), merged.others, other_commit, commit, other_commit));
  }
  return merged;
}

void merge_folders(RunDatabase& database, const std::string& folders, std::ostream& err) {
  const std::vector<std::string> list = fs::is_directory(folders) ? std::vector<std::string>{folders} : split_list(folders);
  for (const std::string& folder : list) {
    Merged all;
    for (const fs::path& part : parts_in(folder)) {
      const Merged merged = merge_runs(database, part);
      all.runs += merged.runs;
      all.others += merged.others;
      all.broken += merged.broken;
      all.failures.insert(all.failures.end(), merged.failures.begin(), merged.failures.end());
    }
    fmt::print(err, "{}: {} run{}", folder, all.runs, plural_ending(all.runs));
    if (all.others > 0) fmt::print(err, "; {} of other commits {} skipped", all.others, is_or_are(all.others));
    if (all.broken > 0) fmt::print(err, "; {} that cannot be read {} skipped", all.broken, is_or_are(all.broken));
    fmt::print(err, "\n");
    for (const std::string& failure : all.failures) fmt::print(err, "failed: {}\n", failure);
  }
}

}  // namespace wharf::cli

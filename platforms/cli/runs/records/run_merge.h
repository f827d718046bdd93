#pragma once
// Merges finished runs of other folders, such as shards from other machines.

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "platforms/cli/runs/records/run_database.h"

namespace wharf::cli {

struct Merged {
  std::size_t runs = 0;                    // merged, or already present
  std::size_t others = 0;                  // of other programs: skipped
  std::size_t broken = 0;                  // with an unreadable record: skipped
  std::vector<std::string> failures = {};  // "configuration stimulus: reason" of each run of this program that failed there
};

/// Adds the finished runs of `part`/runs.sqlite to `database`: those of this program, and those of another build of the same commit if
/// neither has uncommitted changes. Throws InputError where the file does not exist, is no database of runs, or holds only runs of other
/// programs.
Merged merge_runs(RunDatabase& database, const std::filesystem::path& part);

/// merge_runs() for --merge: `folders` is a folder, which may have commas in its name, or a list of them. A folder without runs.sqlite
/// means the folders in it that have one. Writes a line for each to `err`. Throws InputError as merge_runs() does.
void merge_folders(RunDatabase& database, const std::string& folders, std::ostream& err);

}  // namespace wharf::cli

#pragma once
// Merges finished runs of other folders, such as shards from other machines.

#include <cstddef>
#include <filesystem>

#include "platforms/cli/results/run_database.h"

namespace wharf::cli {

struct Merged {
  std::size_t runs = 0;    // merged, or already present
  std::size_t others = 0;  // of other programs: skipped
  std::size_t broken = 0;  // with an unreadable record: skipped
};

/// Adds the finished runs of `part`/runs.sqlite to `database`: those of this program, and those of another build of the same commit if
/// neither has uncommitted changes. Throws InputError where the file does not exist, is no database of runs, or holds only runs of other
/// programs.
Merged merge_runs(RunDatabase& database, const std::filesystem::path& part);

}  // namespace wharf::cli

#pragma once
// Finished runs of other folders, as shards on other machines left them.

#include <cstddef>
#include <filesystem>

#include "platforms/cli/results/run_database.h"

namespace wharf::cli {

struct Merged {
  std::size_t runs = 0;    // taken, or there already
  std::size_t others = 0;  // of other programs: left out
  std::size_t broken = 0;  // whose record cannot be read: left out
};

/// Puts the finished runs of `part`/runs.sqlite into `database`. Those of this program, and those of another build of the same commit where
/// neither has uncommitted changes. Throws InputError where there is no such file, where it is no database of runs, and where all of its
/// runs are of another program.
Merged merge_runs(RunDatabase& database, const std::filesystem::path& part);

}  // namespace wharf::cli

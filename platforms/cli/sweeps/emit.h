#pragma once
// Scripts that make a sweep in parts, as tasks of Slurm, GNU parallel or make (`sweep --emit`; docs/howto-cluster.md).

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/runs/runner.h"

namespace wharf::cli {

/// How the runs of a sweep are divided among tasks, each of which makes one part.
struct TaskPlan {
  unsigned tasks = 1, cpus = 1;    // number of tasks; runs at a time in each
  double longest_s = 0.0;          // expected time of the longest task
  unsigned limit_minutes = 1;      // after which the scheduler ends a task
  std::size_t runs = 0, open = 0;  // of the plan, and those without a record
};

/// `tasks` and `limit_minutes` may be 0: as many tasks as take about half an hour each, at most one per run; a limit of five minutes plus
/// three times the expected time of the longest task.
TaskPlan plan_tasks(const std::vector<ExpectedRun>& runs, unsigned tasks, unsigned cpus, unsigned limit_minutes);

/// The sweep of the scripts: the arguments that the user typed, and the working directory.
struct EmittedSweep {
  std::string program;               // absolute path
  std::filesystem::path folder;      // absolute; where the command was given
  std::string spec, out;             // as typed: relative to `folder`, or absolute
  std::vector<std::string> plugins;  // likewise
};

struct EmittedFile {
  std::string name, text;  // name within `out`
};

struct Emitted {
  std::vector<EmittedFile> files;
  std::string start;  // the command that starts all tasks, given in `folder`
};

/// `form` is slurm, parallel or make. Throws InputError for another one, and for names with a line break or another control character,
/// which no line of these files can hold.
Emitted emit_sweep(const std::string& form, const EmittedSweep& sweep, const TaskPlan& plan);

}  // namespace wharf::cli

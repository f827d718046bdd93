#include "platforms/cli/sweeps/emit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/shell.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kForms = {"slurm", "parallel", "make"};
constexpr double kTaskSeconds = 1800.0;  // of a task, where the user gives no number of tasks
constexpr double kLimitFactor = 3.0;     // other machines are slower, and times are those of similar runs
constexpr double kLimitStart = 300.0;
constexpr unsigned kMakeJobs = 2;

/// Expected seconds of one part: the longest run, or all of them on its processors.
double seconds_of_part(const std::vector<ExpectedRun>& runs, const std::vector<unsigned>& part, unsigned index, unsigned cpus) {
  double sum = 0.0, longest = 0.0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (part[i] != index || runs[i].finished) continue;
    sum += runs[i].seconds;
    longest = std::max(longest, runs[i].seconds);
  }
  return std::max(longest, sum / cpus);
}

/// The pieces that every form shares.
class Commands {
 public:
  Commands(const EmittedSweep& sweep, const TaskPlan& plan) : sweep_(sweep), plan_(plan) {}

  /// The part as the shell text `index`, and the number of runs at a time.
  std::string part(const std::string& index, const std::string& jobs) const {
    return fmt::format("{} --shard {}/{} --out {}{} --records {} --jobs {}{}", sweep_words(), index, plan_.tasks,
                       shell_word(in_out("parts/")), index, shell_word(sweep_.out), jobs, plugin_words());
  }
  std::string merge() const {
    return fmt::format("{} --merge {} --tasks {} --out {}{}", sweep_words(), shell_word(in_out("parts")), plan_.tasks,
                       shell_word(sweep_.out), plugin_words());
  }
  std::string program() const { return shell_word(sweep_.program); }
  std::string out(const std::string& name) const { return shell_word(in_out(name)); }
  /// The way from the folder of the scripts to the one in which the command was given.
  std::string way_back() const {
    const fs::path out(sweep_.out);
    if (out.is_absolute()) return sweep_.folder.string();
    return sweep_.folder.lexically_relative((sweep_.folder / out / "x").lexically_normal().parent_path()).string();
  }

 private:
  std::string in_out(const std::string& name) const { return (fs::path(sweep_.out) / name).string(); }
  std::string sweep_words() const { return "sweep " + shell_word(sweep_.spec); }
  std::string plugin_words() const {
    std::string words;
    for (const std::string& plugin : sweep_.plugins) words += " --plugin " + shell_word(plugin);
    return words;
  }

  const EmittedSweep& sweep_;
  const TaskPlan& plan_;
};

/// "2-03:05:00", as Slurm reads it.
std::string slurm_time(unsigned minutes) {
  const unsigned hours = minutes / 60;
  return fmt::format("{}{:02}:{:02}:00", hours >= 24 ? fmt::format("{}-", hours / 24) : "", hours % 24, minutes % 60);
}

std::string job_name(const EmittedSweep& sweep) {
  std::string name = fs::path(sweep.spec).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  return name;
}

/// Sets WHARF, unless the environment does.
std::string program_line(const Commands& commands) {
  return "# Set WHARF if the program is in another place.\n[ -n \"${WHARF:-}\" ] || WHARF=" + commands.program() + "\n";
}

std::string merge_lines(const Commands& commands, const std::string& again) {
  return "status=0\n\"$WHARF\" " + commands.merge() + " || status=$?\n[ $status -eq 0 ] || echo " +
         shell_word("The sweep is incomplete. Finished runs are not repeated: " + again) + " >&2\nexit $status\n";
}

/// Goes from the script's folder to that of the command, so that both can be moved.
std::string way_back_line(const EmittedSweep& sweep, const Commands& commands) {
  if (fs::path(sweep.out).is_absolute()) return "cd -- " + shell_word(commands.way_back()) + "\n";
  return "cd -- \"$(dirname -- \"$0\")\"/" + shell_word(commands.way_back()) + "\n";
}

/// Sets `log` to the folder of Slurm's logs, which reads % as its own.
std::string log_line(const EmittedSweep& sweep, const Commands& commands) {
  return fmt::format("log=$(printf %s {}{} | sed 's/%/%%/g')\n", fs::path(sweep.out).is_absolute() ? "" : "\"$PWD\"/", commands.out("log"));
}

Emitted emit_slurm(const EmittedSweep& sweep, const TaskPlan& plan, const Commands& commands) {
  const std::string name = job_name(sweep), submit = "sh " + commands.out("submit.sh");
  std::string array = "#!/bin/sh\n# Each task of the array runs one part of a sweep; submit.sh in this folder submits it.\n";
  array += fmt::format("#SBATCH --job-name={}\n#SBATCH --array=1-{}\n#SBATCH --cpus-per-task={}\n#SBATCH --time={}\n", name, plan.tasks,
                       plan.cpus, slurm_time(plan.limit_minutes));
  array += "#SBATCH --requeue\n#SBATCH --open-mode=append\n" + program_line(commands);
  array += "part=${SLURM_ARRAY_TASK_ID:?is the number of the part}\n";
  array += "# A repeated task finds the finished runs in the folder of its part.\n";
  array += "exec \"$WHARF\" " + commands.part("\"$part\"", fmt::format("\"${{SLURM_CPUS_PER_TASK:-{}}}\"", plan.cpus)) + "\n";

  std::string merge = "#!/bin/sh\n# Joins the parts when all tasks have ended, successfully or not.\n";
  merge += fmt::format("#SBATCH --job-name={}-merge\n#SBATCH --cpus-per-task=1\n#SBATCH --time={}\n#SBATCH --open-mode=append\n", name,
                       slurm_time(10 + static_cast<unsigned>(plan.runs / 60)));
  merge += program_line(commands) + merge_lines(commands, submit + " repeats the rest, with --array=2,5 only those parts.");

  std::string text = fmt::format(
      "#!/bin/sh\n# Submits a sweep of {} runs as an array of {} tasks, and a job that joins the parts when all tasks have ended.\n",
      plan.runs, plan.tasks);
  text +=
      "# Options, such as --array=2,5, apply to the array; SBATCH_PARTITION, SBATCH_ACCOUNT and similar variables apply to both jobs.\n";
  text += "# Run again, it repeats what is missing.\nset -eu\n" + way_back_line(sweep, commands);
  text += "mkdir -p " + commands.out("log") + "\n" + log_line(sweep, commands);
  text += "job=$(sbatch --parsable --output=\"$log/%A_%a.txt\" \"$@\" " + commands.out("array.sbatch") + ")\n";
  text += "sbatch --dependency=\"afterany:${job%%;*}\" --output=\"$log/merge_%j.txt\" " + commands.out("merge.sbatch") + "\n";
  return {{{"array.sbatch", array}, {"merge.sbatch", merge}, {"submit.sh", text}}, submit};
}

Emitted emit_parallel(const EmittedSweep& sweep, const TaskPlan& plan, const Commands& commands) {
  std::string tasks;
  for (unsigned i = 1; i <= plan.tasks; ++i)
    tasks += commands.program() + ' ' + commands.part(std::to_string(i), std::to_string(plan.cpus)) + "\n";
  const std::string start = "sh " + commands.out("run.sh");
  std::string text = fmt::format("#!/bin/sh\n# Runs a sweep of {} runs as {} tasks of GNU parallel (tasks.txt), and joins the parts.\n",
                                 plan.runs, plan.tasks);
  text +=
      "# Options, such as --jobs 4, go to parallel. A task that fails or is killed is repeated once; run again, the script repeats what is "
      "missing.\n";
  text += "set -eu\n" + way_back_line(sweep, commands);
  text += "parallel --retries 2 --joblog " + commands.out("parallel.log");
  if (plan.cpus > 1) text += fmt::format(" --jobs {}%", std::max(1U, 100 / plan.cpus));
  text += " \"$@\" <" + commands.out("tasks.txt") + " || echo 'some tasks have failed' >&2\n";
  text += "WHARF=" + commands.program() + "\n" + merge_lines(commands, start + " repeats the rest.");
  return {{{"tasks.txt", tasks}, {"run.sh", text}}, start};
}

/// Text of a makefile, in which `$` is make's own.
std::string escaped_for_make(const std::string& line) {
  std::string text;
  for (const char c : line) text += c == '$' ? std::string("$$") : std::string(1, c);
  return text;
}

/// A variable's value ends at `#`; a recipe does not.
std::string value_for_make(const std::string& line) {
  std::string text;
  for (const char c : escaped_for_make(line)) text += c == '#' ? std::string("\\#") : std::string(1, c);
  return text;
}

Emitted emit_make(const EmittedSweep& sweep, const TaskPlan& plan, const Commands& commands) {
  const std::string start = "make -C " + shell_word(sweep.out) + fmt::format(" -j{}", kMakeJobs);
  const std::string way_back = "cd -- " + escaped_for_make(shell_word(commands.way_back())) + " && $(WHARF) ";
  std::string text = fmt::format(
      "# Runs a sweep of {} runs as {} parts, and joins them when all have ended. Run again, it repeats what is missing:\n"
      "# make -C FOLDER, with the folder of this file, and WHARF=... if the program is in another place.\n",
      plan.runs, plan.tasks);
  text += "WHARF = " + value_for_make(commands.program()) + "\nparts =";
  for (unsigned i = 1; i <= plan.tasks; ++i) text += fmt::format(" part-{}", i);
  text += "\n\n.PHONY: merge $(parts)\nmerge: $(parts)\n\t@" + way_back + escaped_for_make(commands.merge()) + "\n\n";
  text += "# The dash: if a part fails, the others and the merge still run.\n$(parts): part-%:\n\t-@part=$*; " + way_back +
          escaped_for_make(commands.part("\"$part\"", std::to_string(plan.cpus))) + "\n";
  return {{{"Makefile", text}}, start};
}

void require_printable(const std::string& what, const std::string& name) {
  if (std::any_of(name.begin(), name.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }))
    throw InputError(fmt::format("--emit: the name of {} has a line break or another control character: {}; rename it", what, quote(name)));
}

}  // namespace

TaskPlan plan_tasks(const std::vector<ExpectedRun>& runs, unsigned tasks, unsigned cpus, unsigned limit_minutes) {
  TaskPlan plan;
  plan.cpus = cpus;
  plan.runs = runs.size();
  double sum = 0.0;
  std::vector<double> seconds;
  std::vector<std::string> names;
  for (const ExpectedRun& run : runs) {
    seconds.push_back(run.seconds_of_project);
    names.push_back(run.name);
    if (run.finished) continue;
    ++plan.open;
    sum += run.seconds;
  }
  const double wanted = tasks > 0 ? tasks : std::ceil(sum / (kTaskSeconds * cpus));
  plan.tasks = static_cast<unsigned>(std::clamp(wanted, 1.0, static_cast<double>(std::clamp<std::size_t>(runs.size(), 1, kMostParts))));
  const std::vector<unsigned> part = parts_of(seconds, names, plan.tasks);
  for (unsigned i = 1; i <= plan.tasks; ++i) plan.longest_s = std::max(plan.longest_s, seconds_of_part(runs, part, i, cpus));
  const double limit = std::ceil((kLimitFactor * plan.longest_s + kLimitStart) / 60.0);
  plan.limit_minutes = limit_minutes > 0 ? limit_minutes : static_cast<unsigned>(std::min(limit, 1e6));
  return plan;
}

Emitted emit_sweep(const std::string& form, const EmittedSweep& sweep, const TaskPlan& plan) {
  require_printable("the program", sweep.program);
  require_printable("the folder", sweep.folder.string());
  require_printable("the sweep's file", sweep.spec);
  require_printable("--out", sweep.out);
  for (const std::string& plugin : sweep.plugins) require_printable("a plugin", plugin);
  const Commands commands(sweep, plan);
  if (form == "slurm") return emit_slurm(sweep, plan, commands);
  if (form == "parallel") return emit_parallel(sweep, plan, commands);
  if (form == "make") return emit_make(sweep, plan, commands);
  throw InputError(fmt::format("--emit: {} is not a format{}There are {}", quote(form), suggestion(form, kForms), join(kForms)));
}

}  // namespace wharf::cli

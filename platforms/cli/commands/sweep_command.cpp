// sweep: runs many machines with many stimuli, as a file describes them.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runs/checkpoint.h"
#include "platforms/cli/runs/records/run_merge.h"
#include "platforms/cli/runs/sampling.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/sweeps/emit.h"
#include "platforms/cli/sweeps/sweep.h"
#include "platforms/cli/sweeps/sweep_agent.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

CommandLine declare_sweep() {
  CommandLine arguments(
      "sweep SWEEP [options]",
      "Runs configurations with lists of values over stimuli, one process per run, and searches for the best values.\n"
      "SWEEP is one that `wharf list sweeps` prints, or your own file: docs/howto-sweep.md says how to write it. Prints a\n"
      "table per metric and writes sweep.csv, sweep.json, a folder per run, and runs.sqlite with a record per run. An\n"
      "interrupted sweep continues where it stopped. --emit instead writes cluster tasks that run the sweep in\n"
      "parts: docs/howto-cluster.md.");
  arguments.output_folder("out", "folder of the results", "out/sweep", {"sweep.csv", "sweep.json", "runs.sqlite"})
      .value("jobs", "N", "processes at a time (default: one per processor)")
      .value("shard", "I/N", "run only part I of N; --merge joins the parts")
      .input("merge", "DIRS", "run nothing: join the runs of these folders, or of all folders in one, and report what is missing")
      .input("records", "DIR", "also take finished runs from DIR/runs.sqlite, if it exists")
      .value("emit", "slurm|parallel|make", "write tasks for Slurm, GNU parallel or make to --out")
      .value("tasks", "N",
             "with --emit: number of tasks (default: about half an hour each); with --merge: number of tasks that --emit wrote")
      .value("cpus", "N", "with --emit: processors per task, and runs at a time in a task (default 1)")
      .value("minutes", "N", "with --emit slurm: time limit of a task (default: 5 plus three times what similar runs took)")
      .input("load", "FILE", "start every run from a checkpoint that run --save-at wrote: docs/howto-save.md")
      .value("agent", "NAME", "let an agent choose the machines to run: optuna, nlopt, random; docs/howto-search.md")
      .value("objective", "GOAL", "goal of the agent: max or min and a metric (default 'max ipc')")
      .value("points", "N", "machines that the agent may try (default: a quarter of them)")
      .value("agent-seed", "N", "seed of the agent (default 1)")
      .flag("dry-run", kDryRunHelp)
      .positionals(1);
  declare_progress(arguments, "print the tables only");
  TableOutput::declare(arguments);
  return arguments;
}

void check_options(const CommandLine& arguments) {
  arguments.exclude("emit", "load", "the tasks only read the sweep's file; write `load: FILE` in it");
  arguments.exclude("emit", "shard", "each task selects its own part; leave out --shard");
  arguments.exclude("emit", "merge", "the tasks end with a merge; leave out --merge");
  arguments.exclude("shard", "merge", "--shard runs a part, --merge joins the parts when all are finished; give one of them");
  for (const char* option : {"cpus", "minutes"})
    if (arguments.has(option) && !arguments.has("emit")) throw InputError(fmt::format("sweep: --{} needs --emit; leave it out", option));
  if (arguments.has("tasks") && !arguments.has("emit") && !arguments.has("merge"))
    throw InputError("sweep: --tasks needs --emit or --merge; leave it out");
  for (const char* option : {"objective", "points", "agent-seed"})
    if (arguments.has(option) && !arguments.has("agent")) throw InputError(fmt::format("sweep: --{} needs --agent; name one", option));
  for (const char* option : {"emit", "shard", "merge"})
    arguments.exclude("agent", option,
                      "an agent needs all results of earlier machines in one place to choose the next; leave one of them out");
}

/// The specs line by line, each with its stimuli in order. A line with a search has one spec per candidate.
std::vector<RunSpec> runs_of(const SweepSpec& sweep) {
  std::vector<RunSpec> specs;
  for (const SweepLine& line : sweep.lines) {
    for (const std::string& stimulus : sweep.stimuli) {
      RunSpec spec;
      spec.config = line.config;
      spec.overrides = line.overrides;
      spec.stimulus = stimulus;
      spec.seed = sweep.seed;
      spec.sample = sweep.sample;
      spec.skip_bad_kernels = sweep.skip_bad_kernels;
      spec.strict_opcodes = sweep.strict_opcodes;
      spec.load = sweep.load;
      if (!line.search) {
        specs.push_back(std::move(spec));
      } else {
        for (RunSpec& candidate : candidates(spec, *line.search)) specs.push_back(std::move(candidate));
      }
    }
  }
  return specs;
}

/// Before anything runs: all runs can go on from the checkpoint. Throws InputError.
void require_continuations(const std::vector<RunSpec>& specs) {
  if (specs.empty() || specs.front().load.empty()) return;
  const CheckpointHead head = read_checkpoint_head(specs.front().load);
  for (const RunSpec& spec : specs) require_continuation(head, spec, configuration_of(spec));
}

/// Reassembles the records of runs_of().
std::vector<RunRecord> records_of(const SweepSpec& sweep, const std::vector<RunRecord>& runs) {
  std::vector<RunRecord> records;
  std::size_t next = 0;
  for (const SweepLine& line : sweep.lines) {
    for (const std::string& stimulus : sweep.stimuli) {
      if (!line.search) {
        records.push_back(runs[next++]);
        continue;
      }
      std::vector<const RunRecord*> tried;
      for (std::size_t value = 0; value < line.search->values.size(); ++value) tried.push_back(&runs[next++]);
      records.push_back(winner(*line.search, tried, workload_of(stimulus)));
    }
  }
  return records;
}

/// Keeps only the lines that the agent tried, and prints the best. Returns false after Ctrl-C.
bool choose_by_agent(const CommandLine& arguments, SweepSpec& sweep, const RunnerOptions& runner, std::ostream& out) {
  const std::size_t all = sweep.lines.size();
  const AgentOptions agent{arguments.text("agent"), arguments.text("objective", "max ipc"),
                           arguments.count("points", std::max<std::size_t>(all / 4, 1), 1, all),
                           arguments.count("agent-seed", 1, 0, 1u << 31)};
  const AgentChoice choice = ask_agent(sweep, agent, runner);
  if (choice.interrupted) return false;
  const SweepLine& best = sweep.lines[choice.best];
  fmt::print(out, "{}: tried {} of {} machines; {} is {:.6g} with {}", agent.name, choice.tried.size(), all, agent.objective, choice.value,
             best.config);
  for (const std::string& setting : best.overrides) fmt::print(out, " {}", setting);
  fmt::print(out, "\n\n");
  std::vector<SweepLine> tried;
  for (const std::size_t line : choice.tried) tried.push_back(sweep.lines[line]);
  sweep.lines = std::move(tried);
  return true;
}

int stopped(const RunnerOptions& runner, std::ostream& err) {
  fmt::print(err, "stopped; finished runs are kept in {}: the same command continues\n", runner.out.string());
  return kInterrupted;
}

/// Writes the tasks that make the sweep, and says how to start them.
int emit(const CommandLine& arguments, const SweepSpec& spec, const RunnerOptions& runner, const Context& context) {
  EmittedSweep sweep;
  sweep.program = fs::read_symlink("/proc/self/exe").string();
  sweep.folder = fs::current_path();
  sweep.spec = arguments.positional().front();
  sweep.out = runner.out.string();
  sweep.plugins = arguments.texts("plugin");
  constexpr unsigned kMostMinutes = 525'600;
  const auto number = [&](const char* option, unsigned otherwise, unsigned most) {
    return static_cast<unsigned>(arguments.count(option, otherwise, 1, most));
  };
  emit_sweep(arguments.text("emit"), sweep, {});  // before anything is written
  const TaskPlan plan = plan_tasks(expected_runs(runs_of(spec), runner), number("tasks", 0, kMostParts), number("cpus", 1, 1024),
                                   number("minutes", 0, kMostMinutes));
  const Emitted emitted = emit_sweep(arguments.text("emit"), sweep, plan);
  for (const EmittedFile& file : emitted.files) write_file(runner.out / file.name, file.text);
  fmt::print(context.out,
             "{} runs, {} of them without a record; {} tasks, {} at a time in each; the longest takes about {} as similar runs took\n",
             plan.runs, plan.open, plan.tasks, plan.cpus, format_duration(plan.longest_s));
  for (const EmittedFile& file : emitted.files) fmt::print(context.out, "wrote {}\n", (runner.out / file.name).string());
  fmt::print(context.out, "they start {}\nrun now: {}\n", sweep.program, emitted.start);
  return kDone;
}

/// Prints and writes the results. Returns false where some are missing or failed.
bool report(const Sweep& sweep, const fs::path& out, const TableOutput& output) {
  write_file(out / "sweep.json", sweep_json(sweep).dump(2) + "\n");
  write_file(out / "sweep.csv", sweep_csv(sweep));
  output.print(sweep_tables(sweep));
  const std::vector<std::string> failures = sweep_failures(sweep);
  for (const std::string& failure : failures) fmt::print(output.remarks(), "failed: {}\n", failure);
  fmt::print(output.remarks(), "wrote {}, sweep.json\n", (out / "sweep.csv").string());
  return failures.empty();
}

/// The runs that a merge lacks, and the command that makes them.
void print_missing(const RunBatch& batch, const RunnerOptions& runner, const CommandLine& arguments, std::ostream& out) {
  const unsigned parts = runner.shard.count;
  std::string where;
  for (const unsigned part : batch.open_parts) where += fmt::format("{}{}", where.empty() ? "" : ",", part);
  fmt::print(out, "missing: {} of {} runs{}\n", batch.open, batch.runs, parts > 1 ? fmt::format(", in parts {} of {}", where, parts) : "");
  std::vector<std::string> rest = {"sweep", arguments.positional().front(), "--out", runner.out.string()};
  if (arguments.has("load")) rest.insert(rest.end(), {"--load", arguments.text("load")});
  fmt::print(out, "repeat those parts and merge again, or run the rest here: {}\n", offered_command(std::move(rest)));
}

RunnerOptions runner_of(const CommandLine& arguments) {
  RunnerOptions runner;
  runner.out = arguments.text("out");
  runner.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  runner.progress = progress_style(arguments);
  runner.dry = arguments.has("dry-run");
  if (arguments.has("shard")) runner.shard = parse_shard(arguments.text("shard"));
  if (arguments.has("merge")) runner.shard = {0, static_cast<unsigned>(arguments.count("tasks", 1, 1, kMostParts))};
  runner.known = arguments.text("records");
  return runner;
}

}  // namespace

int sweep_command(const Context& context) {
  CommandLine arguments = declare_sweep();
  if (!parse_with_plugins(arguments, context)) return kDone;
  check_options(arguments);
  if (arguments.positional().empty())
    throw InputError("sweep: name one that `wharf list sweeps` prints, or a file; docs/howto-sweep.md says how to write one");
  const RunnerOptions runner = runner_of(arguments);
  const TableOutput output(arguments, context);
  Sweep sweep{read_sweep(arguments.positional().front()), {}};
  if (arguments.has("load")) sweep.spec.load = arguments.text("load");
  if (!sweep.spec.load.empty() && arguments.has("agent"))
    throw InputError("sweep: an agent's runs start from the beginning; leave out --agent, or --load and the `load` of the file");
  for (const char* part : {"shard", "emit", "merge", "agent"})
    if (sweep.spec.sample_error != 0 && arguments.has(part))
      throw InputError(fmt::format(
          "sweep: with sample_error all runs of a stimulus decide together how large its samples are; leave out it or --{}", part));
  require_continuations(runs_of(sweep.spec));
  if (runner.dry) {
    run_batch(runs_of(sweep.spec), runner, context.err);
    return kDone;
  }
  if (arguments.has("emit")) return emit(arguments, sweep.spec, runner, context);
  if (arguments.has("merge")) {
    RunDatabase database(runner.out);
    merge_folders(database, arguments.text("merge"), context.err);
  }
  if (arguments.has("agent") && !choose_by_agent(arguments, sweep.spec, runner, output.remarks())) return stopped(runner, context.err);
  std::vector<RunSpec> specs = runs_of(sweep.spec);
  const RunBatch batch = run_sampled_batch(specs, runner, sweep.spec.sample_error, context.err);
  if (batch.interrupted) return stopped(runner, context.err);
  sweep.records = records_of(sweep.spec, batch.records);
  if (!runner.shard.is_whole() && runner.shard.index > 0) {
    fmt::print(context.out, "{}; when all parts are finished, --merge with their folders joins them\n", part_text(batch, runner));
    return has_failed(batch) ? kSimulationFailed : kDone;
  }
  const bool good = report(sweep, runner.out, output);
  if (batch.open > 0) print_missing(batch, runner, arguments, output.remarks());
  return good && batch.open == 0 ? kDone : kSimulationFailed;
}

}  // namespace wharf::cli

// sweep: runs many machines with many stimuli, as a file describes them.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/files.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runs/child_processes.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/sweeps/sweep.h"
#include "platforms/cli/sweeps/sweep_agent.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {
namespace {

CommandLine declare() {
  CommandLine arguments(
      "sweep SPEC [options]",
      "Runs configurations with lists of values over stimuli, one process a run, and searches for the best values;\n"
      "SPEC is one that `wharf list sweeps` prints, or a file of yours: docs/howto-sweep.md says how to write it. Prints a\n"
      "table a metric and writes sweep.csv, sweep.json, a folder for each run, and runs.sqlite, a record for each run. An interrupted sweep continues where it stopped.");
  arguments.value("out", "DIR", "folder of the results (default out/sweep)")
      .value("jobs", "N", "processes at a time (default: one a processor)")
      .value("agent", "NAME", "let an agent choose which machines run: optuna, nlopt, random; docs/howto-search.md")
      .value("objective", "GOAL", "of the agent: max or min and a metric (default 'max ipc')")
      .value("points", "N", "machines that the agent may try (default: a quarter of them)")
      .value("agent-seed", "N", "seed of the agent (default 1)")
      .flag("quiet", "print the tables only")
      .positionals(1);
  return arguments;
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
      if (!line.search) {
        specs.push_back(std::move(spec));
      } else {
        for (RunSpec& candidate : candidates(spec, *line.search)) specs.push_back(std::move(candidate));
      }
    }
  }
  return specs;
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
      RunSpec spec;
      spec.stimulus = stimulus;
      records.push_back(winner(*line.search, tried, workload_of(spec)));
    }
  }
  return records;
}

/// Leaves the lines that the agent has tried, and says which is the best. Returns false where Ctrl-C was pressed.
bool choose_by_agent(const CommandLine& arguments, SweepSpec& sweep, const RunnerOptions& runner, std::ostream& out) {
  const std::size_t all = sweep.lines.size();
  const AgentOptions agent{arguments.text("agent"), arguments.text("objective", "max ipc"),
                           arguments.count("points", std::max<std::size_t>(all / 4, 1), 1, all), arguments.count("agent-seed", 1, 0, 1u << 31)};
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

void require_agent(const CommandLine& arguments) {
  for (const char* option : {"objective", "points", "agent-seed"})
    if (arguments.has(option) && !arguments.has("agent")) throw InputError(fmt::format("sweep: --{} is for --agent; name one", option));
}

int stopped(const RunnerOptions& runner, std::ostream& err) {
  fmt::print(err, "stopped; what is finished is kept in {}: the same command continues\n", runner.out.string());
  return kInterrupted;
}

}  // namespace

int sweep_command(const Context& context) {
  CommandLine arguments = declare();
  if (!parse_with_plugins(arguments, context)) return kDone;
  if (arguments.positional().empty()) throw InputError("sweep: name one that `wharf list sweeps` prints, or a file; docs/howto-sweep.md says how to write one");
  require_agent(arguments);
  Sweep sweep{read_sweep(arguments.positional().front()), {}};
  RunnerOptions runner;
  runner.out = arguments.text("out", "out/sweep");
  runner.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  runner.quiet = arguments.has("quiet");
  if (arguments.has("agent") && !choose_by_agent(arguments, sweep.spec, runner, context.out)) return stopped(runner, context.err);
  const RunBatch batch = run_batch(runs_of(sweep.spec), runner, context.err);
  if (batch.interrupted) return stopped(runner, context.err);
  sweep.records = records_of(sweep.spec, batch.records);
  write_file(runner.out / "sweep.json", sweep_json(sweep).dump(2) + "\n");
  write_file(runner.out / "sweep.csv", sweep_csv(sweep));
  for (const Table& table : sweep_tables(sweep)) fmt::print(context.out, "{}\n", as_text(table));
  const std::vector<std::string> failures = sweep_failures(sweep);
  for (const std::string& failure : failures) fmt::print(context.out, "failed: {}\n", failure);
  fmt::print(context.out, "wrote {}, sweep.json\n", (runner.out / "sweep.csv").string());
  return !failures.empty() ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli

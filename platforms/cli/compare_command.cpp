// compare: configurations beside each other over a suite, one process a run.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/child_processes.h"
#include "platforms/cli/command_line.h"
#include "platforms/cli/commands.h"
#include "platforms/cli/comparison.h"
#include "platforms/cli/files.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runner.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace {

struct Plan {
  Comparison comparison;       // without outcomes
  std::vector<RunSpec> specs;  // a stimulus after the other
  RunnerOptions runner;
};

CommandLine declare() {
  CommandLine arguments(
      "compare [CONFIGS...] [options]",
      "Runs every configuration with every stimulus, one process a run, and prints L1 miss rate, replication ratio, IPC and\n"
      "speed-up. Without CONFIGS: private, private_16x_l1 and private_single_l1. An interrupted compare continues where it\n"
      "stopped. Writes report.html, compare.json, compare.csv, a folder for each run, and runs.sqlite, a record for each run.");
  arguments.value("suite", "NAME", "suite of stimuli (default quick)")
      .value("stimuli", "A,B", "stimuli instead of a suite")
      .value("baseline", "CONFIG", "what the others are compared with (default: the first configuration)")
      .value("out", "DIR", "folder of the results (default out/compare)")
      .value("jobs", "N", "processes at a time (default: one a processor)")
      .value("seed", "N", "seed of every run (default 1)")
      .values("set", "KEY=VALUE", "set a key in every configuration")
      .flag("quiet", "print the table only")
      .positionals(64);
  return arguments;
}

std::vector<std::string> without_repetitions(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names) {
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  return once;
}

std::vector<std::string> chosen_stimuli(const CommandLine& arguments) {
  if (arguments.has("suite") && arguments.has("stimuli")) throw InputError("--suite and --stimuli exclude each other; give one");
  const std::vector<std::string> names =
      arguments.has("stimuli") ? split_list(arguments.text("stimuli")) : stimuli_of_suite(arguments.text("suite", "quick"));
  if (names.empty()) throw InputError("--stimuli names none; give at least one, such as gemm@std");
  return without_repetitions(names);
}

Plan make_plan(const CommandLine& arguments) {
  Plan plan;
  Comparison& comparison = plan.comparison;
  comparison.configs = without_repetitions(arguments.positional());
  if (comparison.configs.empty()) comparison.configs = {"private", "private_16x_l1", "private_single_l1"};
  comparison.baseline = arguments.text("baseline", comparison.configs.front());
  if (std::find(comparison.configs.begin(), comparison.configs.end(), comparison.baseline) == comparison.configs.end()) {
    comparison.configs.insert(comparison.configs.begin(), comparison.baseline);
  }
  comparison.stimuli = chosen_stimuli(arguments);
  plan.runner.out = arguments.text("out", "out/compare");
  plan.runner.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  plan.runner.quiet = arguments.has("quiet");

  for (const std::string& stimulus : comparison.stimuli) {
    for (const std::string& config : comparison.configs) {
      RunSpec& spec = plan.specs.emplace_back();
      spec.config = config;
      spec.stimulus = stimulus;
      spec.overrides = arguments.texts("set");
      spec.seed = arguments.count("seed", 1, 0, kNever);
    }
  }
  return plan;
}

Outcome outcome_of(const RunSpec& spec, const RunRecord& record) {
  Outcome outcome{spec.config, spec.stimulus, {}, record.failure, record.chosen};
  if (record.status == RunStatus::done) outcome.run = record.result["run"];
  return outcome;
}

void write_outputs(const Plan& plan) {
  const Comparison& comparison = plan.comparison;
  std::vector<Table> tables = {headline_table(comparison)};
  for (Table& table : detail_tables(comparison)) tables.push_back(std::move(table));
  const std::string introduction = fmt::format("{} configurations, {} stimuli, one simulated GPU each; Wharf {}.",
                                               comparison.configs.size(), comparison.stimuli.size(), kVersion);
  write_file(plan.runner.out / "report.html", report_html("Wharf: configurations beside each other", introduction, tables));
  write_file(plan.runner.out / "compare.json", comparison_json(comparison).dump(2) + "\n");
  write_file(plan.runner.out / "compare.csv", comparison_csv(comparison));
}

}  // namespace

int compare_command(const Context& context) {
  CommandLine arguments = declare();
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  Plan plan = make_plan(arguments);
  const RunBatch batch = run_batch(plan.specs, plan.runner, context.err);
  if (batch.interrupted) {
    fmt::print(context.err, "stopped; what is finished is kept in {}: the same command continues\n", plan.runner.out.string());
    return kInterrupted;
  }
  for (std::size_t i = 0; i < plan.specs.size(); ++i) {
    plan.comparison.outcomes.push_back(outcome_of(plan.specs[i], batch.records[i]));
  }
  write_outputs(plan);
  fmt::print(context.out, "{}\n", as_text(headline_table(plan.comparison)));
  bool failed = false;
  for (const Outcome& outcome : plan.comparison.outcomes) {
    if (outcome.failure.empty()) continue;
    failed = true;
    fmt::print(context.out, "failed: {} {}: {}\n", outcome.config, outcome.stimulus, outcome.failure);
  }
  fmt::print(context.out, "wrote {}, compare.json, compare.csv\n", (plan.runner.out / "report.html").string());
  return failed ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli

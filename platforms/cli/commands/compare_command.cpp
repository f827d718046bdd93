// compare: compares configurations over a suite, with one process per run.

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/configuration.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/report/report_page.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/sweeps/combination.h"
#include "platforms/cli/sweeps/comparison.h"
#include "platforms/cli/sweeps/designs.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace {

struct Plan {
  std::vector<Comparison> groups;  // without outcomes
  std::vector<RunSpec> specs;      // group by group, stimulus by stimulus
  RunnerOptions runner;
};

CommandLine declare() {
  CommandLine arguments(
      "compare [CONFIGS...] [options]",
      "Runs every configuration with every stimulus, one process a run, and prints L1 miss rate, replication ratio, IPC and\n"
      "speed-up. Without CONFIGS: each design beside the private L1s of its own GPU. A configuration may be DESIGN@GPU, such as\n"
      "shared_l1@48sm_8x8, or designs together, such as ata+loscache. An interrupted compare continues where it stopped. Writes report.html (charts; needs no network),\n"
      "compare.json, compare.csv, a folder for each run, and runs.sqlite, a record for each run.");
  declare_stimuli(arguments, "suite of stimuli (default quick)");
  arguments.value("baseline", "CONFIG", "what the others are compared with (default: the first configuration)")
      .value("gpu", "G", "private L1s and every design on this GPU; those that cannot stand there are listed with the reason")
      .flag("combine", "every design and every two of them together on one GPU (80sm_common, or --gpu), and whether the gains add up")
      .flag("explain", "count every issue slot of every run by its cause, for the cycle stacks of report.html; the runs take a tenth to a sixth longer")
      .output_folder("out", "folder of the results", "out/compare", {"report.html", "compare.json", "compare.csv", "runs.sqlite"})
      .value("jobs", "N", "processes at a time (default: one a processor)")
      .value("seed", "N", "seed of every run (default 1)")
      .values("set", "KEY=VALUE", "set a key in every configuration")
      .flag("dry-run", kDryRunHelp)
      .positionals(64);
  declare_progress(arguments, "print the table only");
  TableOutput::declare(arguments);
  return arguments;
}

/// The limits of larger or fewer copies, then each design on its own GPU; the first of a group is its baseline.
std::vector<std::vector<std::string>> default_groups() {
  std::vector<std::vector<std::string>> groups = {{"private", "private_16x_l1", "private_single_l1"}};
  for (const DesignEntry& design : compared_designs()) groups.push_back({design.baseline, design.name});
  return groups;
}

/// Private L1s and every design on one GPU, as far as the checks allow.
Comparison group_on(const std::string& gpu, const std::vector<std::string>& settings) {
  Comparison group;
  group.baseline = "private@" + gpu;
  group.configs = {group.baseline};
  load_configuration(group.baseline, settings, "");  // a wrong GPU is not the fault of a design
  for (const DesignEntry& design : compared_designs()) {
    const std::string config = std::string(design.name) + '@' + gpu;
    try {
      load_configuration(config, settings, "");
      group.configs.push_back(config);
    } catch (const InputError& error) {
      group.refused.push_back({config, error.what()});
    }
  }
  return group;
}

std::vector<Comparison> groups_of_configs(const CommandLine& arguments) {
  std::vector<std::vector<std::string>> groups = {without_repetitions(arguments.positional())};
  if (groups.front().empty()) groups = default_groups();
  if (arguments.has("baseline")) groups.resize(1);  // one baseline implies one group
  std::vector<Comparison> comparisons;
  for (std::vector<std::string>& configs : groups) {
    Comparison& group = comparisons.emplace_back();
    group.baseline = arguments.text("baseline", configs.front());
    if (std::find(configs.begin(), configs.end(), group.baseline) == configs.end()) configs.insert(configs.begin(), group.baseline);
    group.configs = configs;
  }
  return comparisons;
}

std::vector<Comparison> chosen_groups(const CommandLine& arguments) {
  const char* chooser = arguments.has("combine") ? "--combine" : arguments.has("gpu") ? "--gpu" : nullptr;
  if (chooser != nullptr && (arguments.has("baseline") || !arguments.positional().empty()))
    throw InputError(std::string(chooser) + " chooses the configurations and the baseline; leave out CONFIGS and --baseline");
  const std::vector<std::string> stimuli = chosen_stimuli(arguments, "quick"), settings = arguments.texts("set");
  std::vector<Comparison> groups;
  if (arguments.has("combine")) {
    groups.push_back(combinations_on(arguments.text("gpu", kCommonGpu), settings));
  } else if (arguments.has("gpu")) {
    groups.push_back(group_on(arguments.text("gpu"), settings));
  } else {
    groups = groups_of_configs(arguments);
  }
  for (Comparison& group : groups) {
    group.stimuli = stimuli;
    for (const std::string& config : group.configs) group.resolved.push_back(load_configuration(config, settings, "").resolved_yaml);
  }
  return groups;
}

Plan make_plan(const CommandLine& arguments) {
  Plan plan;
  plan.groups = chosen_groups(arguments);
  plan.runner.out = arguments.text("out");
  plan.runner.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  plan.runner.progress = progress_style(arguments);
  plan.runner.dry = arguments.has("dry-run");
  for (const Comparison& group : plan.groups) {
    for (const std::string& stimulus : group.stimuli) {
      for (const std::string& config : group.configs) {
        RunSpec& spec = plan.specs.emplace_back();
        spec.config = config;
        spec.stimulus = stimulus;
        spec.overrides = arguments.texts("set");
        spec.explain = arguments.has("explain");
        spec.seed = arguments.count("seed", 1, 0, kNever);
      }
    }
  }
  return plan;
}

Outcome outcome_of(const RunSpec& spec, const RunRecord& record) {
  Outcome outcome{spec.config, spec.stimulus, {}, record.failure, record.chosen};
  outcome.published = record.published;
  outcome.warnings = warnings_of(record.result);
  if (record.status == RunStatus::done) outcome.run = record.result["run"], outcome.tables = record.result["tables"];
  return outcome;
}

Table warnings_of_runs(const std::vector<Comparison>& groups) {
  std::vector<WarnedRun> runs;
  for (const Comparison& group : groups)
    for (const Outcome& outcome : group.outcomes) runs.emplace_back(outcome.config + ' ' + outcome.stimulus, outcome.warnings);
  return warning_table(runs);
}

void write_outputs(const Plan& plan) {
  ReportText text;
  std::size_t configs = 0;
  for (const Comparison& group : plan.groups) {
    configs += group.configs.size();
    const bool combines = !group.combinations.empty();
    text.headlines.push_back(combines ? combination_table(group) : headline_table(group));
    if (combines) text.details.insert(text.details.end(), {over_product_table(group), headline_table(group)});
    if (Table found = chosen_table(group); !found.rows.empty()) text.details.push_back(std::move(found));
    for (Table& table : detail_tables(group)) text.details.push_back(std::move(table));
  }
  if (Table warned = warnings_of_runs(plan.groups); !warned.rows.empty()) text.details.push_back(std::move(warned));
  text.title = "Wharf: GPU cache hierarchies beside each other";
  text.introduction = fmt::format(
      "{} configurations, {} kernels; each column is a simulated GPU, each group stands over its own baseline. "
      "Wharf {}.",
      configs, plan.groups.front().stimuli.size(), kVersion);
  write_file(plan.runner.out / "report.html", report_html(text, plan.groups));
  write_file(plan.runner.out / "compare.json", comparison_json(plan.groups).dump(2) + "\n");
  write_file(plan.runner.out / "compare.csv", comparison_csv(plan.groups));
}

void add_tables(const Comparison& group, std::vector<Table>& tables) {
  tables.push_back(group.combinations.empty() ? headline_table(group) : combination_table(group));
  if (Table found = chosen_table(group); !found.rows.empty()) tables.push_back(std::move(found));
}

/// Returns true where every run of the group was done.
bool print_problems(const Comparison& group, std::ostream& out) {
  for (const Refused& refused : group.refused) fmt::print(out, "refused: {}\n{}\n\n", refused.config, refused.reason);
  bool done = true;
  for (const Outcome& outcome : group.outcomes) {
    if (outcome.failure.empty()) continue;
    done = false;
    fmt::print(out, "failed: {} {}: {}\n", outcome.config, outcome.stimulus, outcome.failure);
  }
  return done;
}

/// The configuration of a run that was kept, as `explain` takes it: of a search, what it chose. The settings go to `settings`.
std::string explained_config(const Comparison& group, const std::string& config, const std::string& stimulus, std::vector<std::string>& settings) {
  const std::optional<config::Search> search = load_configuration(config, {}, "").search;
  const Outcome* outcome = group.outcome(config, stimulus);
  if (!search || outcome == nullptr || outcome->chosen.empty()) return config;
  const std::string& chosen = outcome->chosen;
  if (search->over_configurations()) return chosen;
  settings.push_back(search->key + '=' + chosen);
  return config;
}

/// The command that explains the largest difference of all; empty where no run was done.
std::string next_command(const Plan& plan) {
  const Comparison* where = nullptr;
  std::string config, stimulus;
  double largest = -1.0;
  for (const Comparison& group : plan.groups) {
    for (const std::string& one : group.configs) {
      for (const std::string& workload : group.stimuli) {
        const double size = std::abs(std::log(group.speed_up(one, workload)));
        if (!(size > largest)) continue;  // also where there is no speed-up
        largest = size, where = &group, config = one, stimulus = workload;
      }
    }
  }
  if (where == nullptr) return {};
  const RunSpec& any = plan.specs.front();
  std::vector<std::string> words = {"explain"}, of_first, of_last;
  const std::string first = explained_config(*where, where->baseline, stimulus, of_first);
  // Only the last run of `explain` can have settings of its own.
  if (config != where->baseline && of_first.empty()) words.push_back(first);
  words.insert(words.end(), {explained_config(*where, config, stimulus, of_last), "--stimulus", stimulus});
  for (const std::string& setting : any.overrides) words.insert(words.end(), {"--set-both", setting});
  for (const std::string& setting : of_last) words.insert(words.end(), {"--set", setting});
  if (any.seed != 1) words.insert(words.end(), {"--seed", std::to_string(any.seed)});
  return offered_command(std::move(words));
}

}  // namespace

int compare_command(const Context& context) {
  CommandLine arguments = declare();
  if (!parse_with_plugins(arguments, context)) return kDone;
  const TableOutput output(arguments, context);
  Plan plan = make_plan(arguments);
  const RunBatch batch = run_batch(plan.specs, plan.runner, context.err);
  if (plan.runner.dry) return kDone;
  if (batch.interrupted) {
    fmt::print(context.err, "stopped; what is finished is kept in {}: the same command continues\n", plan.runner.out.string());
    return kInterrupted;
  }
  std::size_t next = 0;
  for (Comparison& group : plan.groups) {
    for (std::size_t i = 0; i < group.configs.size() * group.stimuli.size(); ++i, ++next)
      group.outcomes.push_back(outcome_of(plan.specs[next], batch.records[next]));
  }
  write_outputs(plan);
  std::vector<Table> tables;
  for (const Comparison& group : plan.groups) add_tables(group, tables);
  output.print(tables);
  bool done = true;
  for (const Comparison& group : plan.groups) done &= print_problems(group, output.remarks());
  fmt::print(output.remarks(), "wrote {}, compare.json, compare.csv\n", (plan.runner.out / "report.html").string());
  if (const std::string command = next_command(plan); !command.empty()) fmt::print(output.remarks(), "to see why: {}\n", command);
  return done ? kDone : kSimulationFailed;
}

}  // namespace wharf::cli

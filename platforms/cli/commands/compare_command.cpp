// compare: compares configurations over a suite, with one process per run.

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "platforms/cli/claims/design_summary.h"
#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/report/report_page.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/runs/sampling.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/sweeps/combination.h"
#include "platforms/cli/sweeps/comparison.h"
#include "platforms/cli/sweeps/designs.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/cli/version.h"
#include "platforms/inputs/configuration.h"

namespace wharf::cli {
namespace {

struct Plan {
  std::vector<Comparison> groups;  // without outcomes
  std::vector<RunSpec> specs;      // group by group, stimulus by stimulus; then runs that only show what a workload is like
  RunnerOptions runner;
  std::vector<SummarisedDesign> designs;  // one per group, for the summary; empty where the user names configurations
  CommonSuite common;
};

CommandLine declare_compare() {
  CommandLine arguments(
      "compare [CONFIGS...] [options]",
      "Runs every configuration with every stimulus, one process per run, and prints L1 miss rate, replication ratio, IPC and\n"
      "speed-up. Without CONFIGS: a row per design with its gain over its own baseline, on workloads of its class and on the\n"
      "suite, and the gain that its publication reports; with --suite or --stimuli on these only. A configuration may be DESIGN@GPU, such "
      "as\n"
      "shared_l1@48sm_8x8, or several designs together, such as ata+loscache. An interrupted compare continues where it stopped. Writes "
      "report.html (charts; needs no network),\n"
      "compare.json, compare.csv, a folder per run, and runs.sqlite with a record per run.");
  declare_stimuli(arguments, "suite of stimuli (default quick)");
  arguments.value("baseline", "CONFIG", "configuration that the others are compared with (default: the first)")
      .value("gpu", "G", "private L1s and every design on this GPU; designs that cannot run on it are listed with the reason")
      .flag("combine", "every design and every pair of designs on one GPU (80sm_common, or --gpu), and whether their gains add up")
      .flag("details", "also print the tables of report.html: each design and each metric by workload")
      .flag("explain", "count every issue slot of every run by cause, for the cycle stacks of report.html; runs take about a tenth longer")
      .output_folder("out", "folder of the results", "out/compare", {"report.html", "compare.json", "compare.csv", "runs.sqlite"})
      .value("jobs", "N", "processes at a time (default: one per processor)")
      .value("seed", "N", "seed of every run (default 1)")
      .value("sample", "N", "of each run, simulate N launches of each group of like launches and estimate the rest: docs/howto-sample.md")
      .value("sample-error", "PERCENT",
             "draw more than N of a stimulus, the same on each configuration, until half the 95 % interval of cycles is everywhere at most "
             "PERCENT of the estimate")
      .value("limit-warp-instructions", "N", "end every run after N warp instructions")
      .values("set", "KEY=VALUE", "set a key in every configuration")
      .flag("dry-run", kDryRunHelp)
      .positionals(64);
  declare_trace_options(arguments);
  declare_progress(arguments, "print the tables only");
  TableOutput::declare(arguments);
  return arguments;
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

Comparison group_of_configs(const CommandLine& arguments) {
  Comparison group;
  group.configs = without_repetitions(arguments.positional());
  group.baseline = arguments.text("baseline", group.configs.front());
  if (std::find(group.configs.begin(), group.configs.end(), group.baseline) == group.configs.end())
    group.configs.insert(group.configs.begin(), group.baseline);
  return group;
}

/// One group per design: its baseline and itself, on the suite and on the workloads of its class.
std::vector<Comparison> groups_of_designs(const std::vector<SummarisedDesign>& designs, const CommonSuite& common) {
  std::vector<Comparison> groups;
  for (const SummarisedDesign& design : designs) {
    Comparison& group = groups.emplace_back();
    group.baseline = design.baseline.config;
    group.configs = {design.baseline.config, design.system.config};
    group.stimuli = design.class_workloads();
    group.stimuli.insert(group.stimuli.end(), common.workloads.begin(), common.workloads.end());
    group.stimuli = without_repetitions(group.stimuli);
  }
  return groups;
}

/// Chooses the designs of the summary, with their classes unless the user chooses the stimuli.
void choose_designs(const CommandLine& arguments, const std::vector<std::string>& stimuli, Plan& plan) {
  if (arguments.has("baseline"))
    throw InputError("--baseline needs CONFIGS to compare with it; name them, or leave out --baseline: each design has its own");
  plan.designs = summarised_designs(all_suites());
  const bool in_suite = arguments.has("suite") || !has_stimuli(arguments);
  plan.common = {in_suite ? "suite " + arguments.text("suite", "quick") : "stimuli", stimuli};
  if (!has_stimuli(arguments)) return;
  for (SummarisedDesign& design : plan.designs) design.criteria = {};
}

std::vector<std::string> limited(std::vector<std::string> stimuli, const CommandLine& arguments) {
  if (!arguments.has("limit-warp-instructions")) return stimuli;
  if (arguments.positional().empty() && !has_stimuli(arguments) && !arguments.has("gpu") && !arguments.has("combine"))
    throw InputError(
        "--limit-warp-instructions would end workloads before they show the behaviour of their class; also give CONFIGS, --suite or "
        "--stimuli");
  for (std::string& stimulus : stimuli)
    stimulus = limited_stimulus(stimulus, arguments.count("limit-warp-instructions", kNever, 1, kNever - 1));
  return stimuli;
}

void choose_groups(const CommandLine& arguments, Plan& plan) {
  const char* chooser = arguments.has("combine") ? "--combine" : arguments.has("gpu") ? "--gpu" : nullptr;
  if (chooser != nullptr && (arguments.has("baseline") || !arguments.positional().empty()))
    throw InputError(std::string(chooser) + " chooses the configurations and the baseline; leave out CONFIGS and --baseline");
  const std::vector<std::string> stimuli = limited(chosen_stimuli(arguments, "quick"), arguments), settings = arguments.texts("set");
  if (arguments.has("combine")) {
    plan.groups = {combinations_on(arguments.text("gpu", kCommonGpu), settings)};
  } else if (arguments.has("gpu")) {
    plan.groups = {group_on(arguments.text("gpu"), settings)};
  } else if (!arguments.positional().empty()) {
    plan.groups = {group_of_configs(arguments)};
  } else {
    choose_designs(arguments, stimuli, plan);
    plan.groups = groups_of_designs(plan.designs, plan.common);
  }
  for (Comparison& group : plan.groups) {
    if (group.stimuli.empty()) group.stimuli = stimuli;
    for (const std::string& config : group.configs) {
      const Configuration configuration = load_configuration(config, settings, "");
      const GpuParams& params = configuration.params;
      group.resolved.push_back(configuration.resolved_yaml);
      group.launch_us.push_back(static_cast<double>(params.front_end.kernel_launch_cycles) / params.clock_mhz.core);
    }
  }
}

/// The settings of the user come after those of the machine.
std::vector<std::string> overrides_of(const Machine& machine, const std::vector<std::string>& settings) {
  std::vector<std::string> overrides = machine.overrides;
  overrides.insert(overrides.end(), settings.begin(), settings.end());
  return overrides;
}

Plan make_plan(const CommandLine& arguments) {
  arguments.exclude("sample", "explain", "issue slots are counted in whole runs; leave one of them out");
  arguments.exclude("sample", "limit-warp-instructions", "an estimate is of a whole program; leave one of them out");
  arguments.exclude("sample", "skip-bad-kernels", "a sample needs the headers of all kernels; repair the trace, or leave one of them out");
  Plan plan;
  choose_groups(arguments, plan);
  plan.runner.out = arguments.text("out");
  plan.runner.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  plan.runner.progress = progress_style(arguments);
  plan.runner.dry = arguments.has("dry-run");
  const auto add = [&](const Machine& machine, const std::string& stimulus) {
    RunSpec& spec = plan.specs.emplace_back();
    spec.config = machine.config;
    spec.stimulus = stimulus;
    spec.overrides = overrides_of(machine, arguments.texts("set"));
    spec.explain = arguments.has("explain");
    read_trace_options(arguments, spec);
    spec.seed = arguments.count("seed", 1, 0, kNever);
    spec.sample = arguments.count("sample", 0, kFewestSamples, kNever);
  };
  for (const Comparison& group : plan.groups)
    for (const std::string& stimulus : group.stimuli)
      for (const std::string& config : group.configs) add({config, {}, {}}, stimulus);
  for (const SummarisedDesign& design : plan.designs)
    for (const std::string& workload : design.class_workloads())
      if (design.criteria.larger.named()) add(design.criteria.larger, workload);
  return plan;
}

RecordOf records_of(const Plan& plan, const RunBatch& batch, const std::vector<std::string>& settings) {
  return [&plan, &batch, settings](const Machine& machine, const std::string& workload) -> const RunRecord* {
    const std::vector<std::string> overrides = overrides_of(machine, settings);
    const auto found = std::find_if(plan.specs.begin(), plan.specs.end(), [&](const RunSpec& spec) {
      return spec.config == machine.config && spec.stimulus == workload && spec.overrides == overrides;
    });
    return found == plan.specs.end() ? nullptr : &batch.records[static_cast<std::size_t>(found - plan.specs.begin())];
  };
}

Outcome outcome_of(const RunSpec& spec, const RunRecord& record) {
  Outcome outcome{spec.config, spec.stimulus, {}, record.failure, record.chosen};
  outcome.published = record.published;
  outcome.warnings = warnings_of(record.result);
  if (record.status != RunStatus::done) return outcome;
  outcome.run = record.result["run"];
  outcome.tables = record.result.value("tables", Json());
  if (record.result.contains("sampled")) outcome.sample = {{"sampled", record.result["sampled"]}, {"kernels", record.result["kernels"]}};
  return outcome;
}

Table warnings_of_runs(const std::vector<Comparison>& groups) {
  std::vector<WarnedRun> runs;
  for (const Comparison& group : groups)
    for (const Outcome& outcome : group.outcomes) runs.emplace_back(outcome.config + ' ' + outcome.stimulus, outcome.warnings);
  return warning_table(runs);
}

/// Where a launch does not take the same time on all machines, short kernels differ for that alone.
std::string note_on_launches(const Comparison& group) {
  const auto [least, most] = std::minmax_element(group.launch_us.begin(), group.launch_us.end());
  constexpr double kShown = 0.01;
  if (least == most || *most - *least < kShown) return {};
  std::string note = " Each launch takes (front_end.kernel_launch_cycles)";
  for (std::size_t i = 0; i < group.configs.size(); ++i)
    note += fmt::format("{} {:.2f} us on {}", i == 0 ? "" : ",", group.launch_us[i], group.configs[i]);
  return note + '.';
}

/// The tables of the report: what is printed, and below it the details.
ReportText report_text(const Plan& plan, const RecordOf& record_of) {
  ReportText text;
  if (!plan.designs.empty()) text.headlines.push_back(design_table(plan.designs, plan.common, record_of));
  if (Table classes = class_table(plan.designs, record_of); !classes.rows.empty()) text.details.push_back(std::move(classes));
  std::size_t configs = 0;
  std::vector<std::string> stimuli;
  for (const Comparison& group : plan.groups) {
    configs += group.configs.size();
    stimuli.insert(stimuli.end(), group.stimuli.begin(), group.stimuli.end());
    const bool combines = !group.combinations.empty();
    std::vector<Table>& shown = plan.designs.empty() ? text.headlines : text.details;
    shown.push_back(combines ? combination_table(group) : headline_table(group));
    shown.back().note += note_on_launches(group);
    if (Table found = chosen_table(group); !found.rows.empty()) shown.push_back(std::move(found));
    if (combines) text.details.insert(text.details.end(), {over_product_table(group), headline_table(group)});
    for (Table& table : detail_tables(group)) text.details.push_back(std::move(table));
  }
  if (Table warned = warnings_of_runs(plan.groups); !warned.rows.empty()) text.details.push_back(std::move(warned));
  if (!plan.specs.empty() && plan.specs.front().sample != 0)
    for (Table& table : text.headlines)
      table.note += " All figures are estimates of a sample; +-: half of the 95 % interval of a speed-up (docs/howto-sample.md).";
  text.title = "Wharf: GPU cache hierarchies compared";
  const std::size_t kernels = without_repetitions(stimuli).size();
  text.introduction = fmt::format(
      "{} configuration{}, {} kernel{}; each column is a simulated GPU, each group has its own baseline. "
      "Wharf {}.",
      configs, plural_ending(configs), kernels, plural_ending(kernels), kVersion);
  return text;
}

void write_outputs(const Plan& plan, const ReportText& text, const RecordOf& record_of) {
  Json json = comparison_json(plan.groups);
  if (!plan.designs.empty()) json["summary"] = summary_json(plan.designs, plan.common, record_of);
  write_file(plan.runner.out / "report.html", report_html(text, plan.groups));
  write_file(plan.runner.out / "compare.json", json.dump(2) + "\n");
  write_file(plan.runner.out / "compare.csv", comparison_csv(plan.groups));
}

/// Returns true where every run was done.
bool print_problems(const Plan& plan, const RunBatch& batch, std::ostream& out) {
  for (const Comparison& group : plan.groups)
    for (const Refused& refused : group.refused) fmt::print(out, "refused: {}\n{}\n\n", refused.config, refused.reason);
  bool done = true;
  for (std::size_t i = 0; i < plan.specs.size(); ++i) {
    if (batch.records[i].failure.empty()) continue;
    done = false;
    fmt::print(out, "failed: {} {}: {}\n", plan.specs[i].config, plan.specs[i].stimulus, batch.records[i].failure);
  }
  return done;
}

/// The configuration of a finished run in the form that `explain` accepts; for a search, the chosen one. Appends the settings to
/// `settings`.
std::string explained_config(const Comparison& group, const std::string& config, const std::string& stimulus,
                             std::vector<std::string>& settings) {
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
  if (any.skip_bad_kernels) words.emplace_back("--skip-bad-kernels");
  if (any.strict_opcodes) words.emplace_back("--strict-opcodes");
  return offered_command(std::move(words));
}

}  // namespace

int compare_command(const Context& context) {
  CommandLine arguments = declare_compare();
  if (!parse_with_plugins(arguments, context)) return kDone;
  const TableOutput output(arguments, context);
  const double error = sample_error_of(arguments);
  Plan plan = make_plan(arguments);
  const RunBatch batch = run_sampled_batch(plan.specs, plan.runner, error, context.err);
  if (plan.runner.dry) return kDone;
  if (batch.interrupted) {
    fmt::print(context.err, "stopped; finished runs are kept in {}: the same command continues\n", plan.runner.out.string());
    return kInterrupted;
  }
  std::size_t next = 0;
  for (Comparison& group : plan.groups) {
    for (std::size_t i = 0; i < group.configs.size() * group.stimuli.size(); ++i, ++next)
      group.outcomes.push_back(outcome_of(plan.specs[next], batch.records[next]));
  }
  const RecordOf record_of = records_of(plan, batch, arguments.texts("set"));
  const ReportText text = report_text(plan, record_of);
  write_outputs(plan, text, record_of);
  std::vector<Table> tables = text.headlines;
  if (arguments.has("details")) tables.insert(tables.end(), text.details.begin(), text.details.end());
  output.print(tables);
  const bool done = print_problems(plan, batch, output.remarks());
  fmt::print(output.remarks(), "wrote {}, compare.json, compare.csv\n", (plan.runner.out / "report.html").string());
  if (const std::string command = next_command(plan); !command.empty()) fmt::print(output.remarks(), "to see why: {}\n", command);
  return done ? kDone : kSimulationFailed;
}

}  // namespace wharf::cli

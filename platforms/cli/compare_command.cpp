// compare: configurations beside each other over a suite, one process a run.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "platforms/cli/child_processes.h"
#include "platforms/cli/command_line.h"
#include "platforms/cli/commands.h"
#include "platforms/cli/comparison.h"
#include "platforms/cli/files.h"
#include "platforms/cli/finished_run.h"
#include "platforms/cli/interrupt.h"
#include "platforms/cli/program.h"
#include "platforms/cli/progress_bar.h"
#include "platforms/cli/run_spec.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

struct PlannedRun {
  RunSpec spec;
  fs::path folder;
  Json inputs;
};

struct Plan {
  Comparison comparison;  // without outcomes
  fs::path out;
  unsigned jobs = 1;
  bool quiet = false;
  std::vector<PlannedRun> runs;
};

CommandLine declare() {
  CommandLine arguments(
      "compare [CONFIGS...] [options]",
      "Runs every configuration with every stimulus, one process a run, and prints L1 miss rate, replication ratio, IPC and\n"
      "speed-up. Without CONFIGS: private, private_16x_l1 and private_single_l1. An interrupted compare continues where it\n"
      "stopped. Writes report.html, compare.json, compare.csv, and a folder for each run.");
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

/// Folder name of a configuration or stimulus: itself where that is safe, else its harmless characters and a hash.
std::string folder_name(const std::string& name) {
  constexpr const char* kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@=,:+-.";
  constexpr std::size_t kLongest = 100;
  std::string safe = name;
  for (std::size_t i = 0; (i = safe.find_first_not_of(kSafe, i)) != std::string::npos;) safe[i] = '_';
  if (safe == name && name.size() <= kLongest && name.front() != '.') return safe;
  return '_' + safe.substr(0, kLongest) + '-' + hash_text(name).substr(0, 8);
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
  plan.out = arguments.text("out", "out/compare");
  plan.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  plan.quiet = arguments.has("quiet");

  for (const std::string& stimulus : comparison.stimuli) {
    check_stimulus(stimulus);
    for (const std::string& config : comparison.configs) {
      PlannedRun& run = plan.runs.emplace_back();
      run.spec.config = config;
      run.spec.stimulus = stimulus;
      run.spec.overrides = arguments.texts("set");
      run.spec.seed = arguments.count("seed", 1, 0, kNever);
      run.folder = plan.out / "runs" / folder_name(config) / folder_name(stimulus);
      run.inputs = inputs_json(run.spec, configuration_of(run.spec));
    }
  }
  return plan;
}

/// Runs what is not finished yet. False: interrupted.
bool execute(Plan& plan, std::ostream& err) {
  const std::string program = program_fingerprint();
  std::vector<Outcome>& outcomes = plan.comparison.outcomes;
  std::vector<Job> jobs;
  std::vector<std::size_t> run_of_job;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const PlannedRun& run = plan.runs[i];
    Outcome& outcome = outcomes.emplace_back(Outcome{run.spec.config, run.spec.stimulus, {}, {}});
    if (const auto finished = read_finished_run(run.folder, run.inputs, program)) {
      outcome.run = (*finished)["run"];
      continue;
    }
    jobs.push_back({run_arguments(run.spec, run.folder), run.folder / "log.txt"});
    run_of_job.push_back(i);
  }
  if (!plan.quiet) {
    fmt::print(err, "{} runs, {} at a time", jobs.size(), plan.jobs);
    if (jobs.size() < plan.runs.size())
      fmt::print(err, "; {} are finished already in {}", plan.runs.size() - jobs.size(), plan.out.string());
    fmt::print(err, "\n");
  }
  ProgressBar bar(plan.quiet);
  std::size_t done = 0;
  std::string last;
  const auto draw = [&] {
    bar.show(jobs.empty() ? 1.0 : static_cast<double>(done) / static_cast<double>(jobs.size()),
             fmt::format("{}/{} runs  {}", done, jobs.size(), last));
  };
  const auto finished = [&](std::size_t job, const JobResult& result) {
    ++done;
    const PlannedRun& run = plan.runs[run_of_job[job]];
    Outcome& outcome = outcomes[run_of_job[job]];
    const auto written = result.ok() ? read_finished_run(run.folder, run.inputs, program) : std::nullopt;
    last = fmt::format("{} {}", run.spec.config, run.spec.stimulus);
    if (written) {
      outcome.run = (*written)["run"];
    } else {
      outcome.failure = failure_of(result.exit_code, jobs[job].log);
      bar.clear();
      fmt::print(err, "failed: {}: {}\n", last, outcome.failure);
    }
    draw();
  };
  return run_jobs(jobs, plan.jobs, finished, draw);
}

void write_outputs(const Plan& plan) {
  const Comparison& comparison = plan.comparison;
  std::vector<Table> tables = {headline_table(comparison)};
  for (Table& table : detail_tables(comparison)) tables.push_back(std::move(table));
  const std::string introduction = fmt::format("{} configurations, {} stimuli, one simulated GPU each; Wharf {}.",
                                               comparison.configs.size(), comparison.stimuli.size(), kVersion);
  write_file(plan.out / "report.html", report_html("Wharf: configurations beside each other", introduction, tables));
  write_file(plan.out / "compare.json", comparison_json(comparison).dump(2) + "\n");
  write_file(plan.out / "compare.csv", comparison_csv(comparison));
}

}  // namespace

int compare_command(const Context& context) {
  CommandLine arguments = declare();
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  Plan plan = make_plan(arguments);
  const InterruptGuard guard;
  if (!execute(plan, context.err)) {
    fmt::print(context.err, "stopped; what is finished is kept in {}: the same command continues\n", plan.out.string());
    return kInterrupted;
  }
  write_outputs(plan);
  fmt::print(context.out, "{}\n", as_text(headline_table(plan.comparison)));
  bool failed = false;
  for (const Outcome& outcome : plan.comparison.outcomes) {
    if (outcome.failure.empty()) continue;
    failed = true;
    fmt::print(context.out, "failed: {} {}: {}\n", outcome.config, outcome.stimulus, outcome.failure);
  }
  fmt::print(context.out, "wrote {}, compare.json, compare.csv\n", (plan.out / "report.html").string());
  return failed ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli

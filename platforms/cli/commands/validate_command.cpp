// validate: compares recorded traces, exported stimuli and microbenchmarks on the Volta configuration with the figures of a cycle-level
// simulator, micro-kernels on later machines with published measurements of hardware, or sampled runs with whole ones.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/text.h"
#include "platforms/cli/bench/hardware_report.h"
#include "platforms/cli/bench/hardware_rows.h"
#include "platforms/cli/bench/sampling_study.h"
#include "platforms/cli/bench/sensitivity.h"
#include "platforms/cli/bench/validation.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/runs/sampling.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/inputs/files.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

CommandLine declare_validate() {
  CommandLine arguments(
      "validate [DIR] [NAMES...] [options]",
      "Runs the recorded traces, exported stimuli and microbenchmarks of DIR (default tests/data/accelsim) and compares cycles, L1 hit rate,\n"
      "L2 and DRAM traffic and instruction counts with its reference; or compares the traces of --traces with the totals of --against; or\n"
      "runs micro-kernels on the machines that model a GPU and compares latencies and bandwidths with published ones (--hardware). NAMES\n"
      "restrict the set. --sensitivity shows whether a deviation is smaller than the effect of a key. --sampling runs the stimuli NAMES\n"
      "(default: those of the suite many_launches) whole and sampled, and compares. Exit code 1 if a limit is exceeded.");
  arguments.value("config", "CONFIG", "configuration (default gpus/volta_qv100; with --sampling private)")
      .value("sampling", "N", "compare runs of N launches of each group with whole runs, as in run --sample")
      .value("repetitions", "N", "with --sampling: seeds, each with a whole and a sampled run (default 5)")
      .input("against", "FILE", "totals of another simulator, one line per trace, with the columns of tests/data/accelsim/results.csv")
      .input("traces", "DIR", "folder of the traces that --against names: DIR/NAME/kernelslist.g")
      .value("hardware", "a100|b200|h100|h200",
             "measurements of this GPU, or those of a YAML file in the form of platforms/claims/hardware")
      .value("seed", "N", "with --hardware: of the micro-kernels' addresses (default 1)")
      .values("set", "KEY=VALUE", "set a configuration key")
      .values("sensitivity", "KEY=VALUES", "repeat each case with each of these values, such as l1.tag_cycles=19,21; may be repeated")
      .output_folder("out", "folder of the runs", "out/validate")
      .output("json", "write the figures as JSON")
      .value("jobs", "N", "processes at a time (default: one per processor)")
      .flag("dry-run", kDryRunHelp)
      .positionals(64);
  declare_strict_opcodes(arguments);
  TableOutput::declare(arguments);
  return arguments;
}

/// Keeps the named cases of both sets; all where no name is given.
void restrict_to(std::vector<ValidationSet>& sets, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<std::string> known;
  for (const ValidationSet& set : sets) {
    for (const ValidationCase& one : set.cases) known.push_back(one.name);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(fmt::format("validate: {} is neither a folder nor a recorded program{}", quote(name), did_you_mean(name, known)));
    }
  }
  for (ValidationSet& set : sets) {
    const auto unwanted = [&](const ValidationCase& one) { return std::find(names.begin(), names.end(), one.name) == names.end(); };
    set.cases.erase(std::remove_if(set.cases.begin(), set.cases.end(), unwanted), set.cases.end());
  }
  sets.erase(std::remove_if(sets.begin(), sets.end(), [](const ValidationSet& set) { return set.cases.empty(); }), sets.end());
}

/// The sets whose figures are in `data`. Throws InputError where none are.
std::vector<ValidationSet> recorded_sets(const fs::path& data) {
  const struct {
    const char *title, *results, *traces;
    ValidationLimits limits;
  } kSets[] = {{"microbenchmarks", "micro_results.csv", "micro", kTraceLimits},
               {"traces", "results.csv", "traces", kTraceLimits},
               {"exported stimuli", "exported/results.csv", "exported", kExportedLimits},
               {"working sets about as large as the L1", "capacity/results.csv", "capacity", kTraceLimits}};
  std::vector<ValidationSet> sets;
  std::vector<std::string> files;
  for (const auto& set : kSets) {
    files.push_back(set.results);
    if (fs::exists(data / set.results))
      sets.push_back({set.title, set.limits, read_reference(data / set.results, data / set.traces), true});
  }
  if (sets.empty())
    throw InputError(
        fmt::format("validate: {} contains none of {}; name a folder with the figures of a reference, or use --against and --traces",
                    data.string(), join(files)));
  return sets;
}

std::vector<ValidationSet> chosen_sets(const CommandLine& arguments) {
  fs::path data = project_root() / "tests" / "data" / "accelsim";
  std::vector<std::string> names = arguments.positional();
  if (arguments.has("against") != arguments.has("traces"))
    throw InputError("validate: --against and --traces need each other: a table of totals, and the folder of the traces that it names");
  if (arguments.has("against")) {
    std::vector<ValidationSet> sets = {{"traces", kOtherLimits, read_reference(arguments.text("against"), arguments.text("traces"))}};
    for (const ValidationCase& one : sets.front().cases)
      if (!fs::exists(one.kernelslist))
        throw InputError(fmt::format("{}: names {}, but {} does not exist; correct the name or --traces", arguments.text("against"),
                                     quote(one.name), one.kernelslist.string()));
    restrict_to(sets, names);
    return sets;
  }
  if (!names.empty() && fs::is_directory(names.front())) {
    data = names.front();
    names.erase(names.begin());
  }
  std::vector<ValidationSet> sets = recorded_sets(data);
  restrict_to(sets, names);
  return sets;
}

/// One run of one case.
struct CaseRun {
  ValidationCase* of;
  RunSpec spec;
  fs::path folder;
};

/// Reads the output of each run.
class Validation : public JobOwner {
 public:
  Validation(const std::vector<Job>& jobs, const std::vector<CaseRun>& runs) : jobs_(jobs), runs_(runs) {}

  bool finished(std::size_t job, const JobResult& result) override {
    ++done_;
    const fs::path stats = runs_[job].folder / "accelsim.txt";
    ValidationCase& validated = *runs_[job].of;
    if (result.ok()) {
      validated.measured = read_accelsim_stats(read_file(stats), stats.string());
      validated.warnings = warnings_of(Json::parse(read_file(runs_[job].folder / "result.json")));
    } else {
      validated.failure = failure_of(result.exit_code, jobs_[job].log);
    }
    idle();
    return false;
  }

  void idle() override {
    bar_.show(static_cast<double>(done_) / static_cast<double>(jobs_.size()), fmt::format("{}/{} runs", done_, jobs_.size()));
  }

 private:
  const std::vector<Job>& jobs_;
  const std::vector<CaseRun>& runs_;
  ProgressBar bar_;
  std::size_t done_ = 0;
};

/// The varied keys of the command line, with a response to be measured for each case.
std::vector<Sensitivity> requested_sensitivities(const CommandLine& arguments, const std::vector<ValidationSet>& sets) {
  std::vector<Sensitivity> sensitivities;
  for (const std::string& text : arguments.texts("sensitivity")) {
    Sensitivity& sensitivity = sensitivities.emplace_back();
    sensitivity.varied = parse_varied_key(text);
    for (std::size_t i = 0; i + 1 < sensitivities.size(); ++i)
      if (sensitivities[i].varied.key == sensitivity.varied.key)
        throw InputError(fmt::format("--sensitivity: {} is given twice; give all its values at once", quote(sensitivity.varied.key)));
    for (const ValidationSet& set : sets)
      for (const ValidationCase& one : set.cases)
        sensitivity.responses.push_back({one, std::vector<ValidationCase>(sensitivity.varied.values.size(), one)});
  }
  return sensitivities;
}

RunSpec spec_of(const CommandLine& arguments, const ValidationCase& one) {
  RunSpec spec;
  spec.config = arguments.text("config", "gpus/volta_qv100");
  spec.stimulus = traces::kPrefix + one.kernelslist.string();
  read_trace_options(arguments, spec);
  spec.overrides = arguments.texts("set");
  return spec;
}

/// The cases with `value` for the key instead of the value of --set.
RunSpec varied_spec_of(const CommandLine& arguments, const ValidationCase& one, const std::string& key, const std::string& value) {
  RunSpec spec = spec_of(arguments, one);
  const auto sets_key = [&](const std::string& setting) { return setting.rfind(key + '=', 0) == 0; };
  spec.overrides.erase(std::remove_if(spec.overrides.begin(), spec.overrides.end(), sets_key), spec.overrides.end());
  spec.overrides.push_back(key + '=' + value);
  return spec;
}

/// All runs, those of the machine as it is first. Throws InputError for a mistake in a setting, before anything runs.
std::vector<CaseRun> plan(std::vector<ValidationSet>& sets, std::vector<Sensitivity>& sensitivities, const CommandLine& arguments) {
  const fs::path out = arguments.text("out");
  std::vector<CaseRun> runs;
  for (ValidationSet& set : sets)
    for (ValidationCase& one : set.cases) runs.push_back({&one, spec_of(arguments, one), out / one.name});
  closed_configuration_of(runs.front().spec);
  for (auto& [varied, responses] : sensitivities) {
    for (const std::string& value : varied.values)
      closed_configuration_of(varied_spec_of(arguments, responses.front().as_is, varied.key, value));
    for (Response& response : responses)
      for (std::size_t i = 0; i < varied.values.size(); ++i)
        runs.push_back({&response.varied[i], varied_spec_of(arguments, response.as_is, varied.key, varied.values[i]),
                        out / fmt::format("{},{}.{}", response.as_is.name, varied.key, i + 1)});
  }
  return runs;
}

/// A process for each run. Returns false where interrupted.
bool execute(const std::vector<CaseRun>& runs, const CommandLine& arguments) {
  std::vector<Job> jobs;
  for (const CaseRun& run : runs) {
    std::vector<std::string> words = run_arguments(run.spec, run.folder);
    words.push_back("--accelsim-stats=" + (run.folder / "accelsim.txt").string());
    jobs.push_back({words, run.folder / "log.txt"});
  }
  Validation validation(jobs, runs);
  return run_jobs(jobs, static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024)), validation);
}

/// Fills each response with the figures of its case on the unchanged machine.
void complete(std::vector<Sensitivity>& sensitivities, const std::vector<ValidationSet>& sets) {
  for (Sensitivity& sensitivity : sensitivities) {
    auto response = sensitivity.responses.begin();
    for (const ValidationSet& set : sets)
      for (const ValidationCase& one : set.cases) (response++)->as_is = one;
  }
}

void print_warnings(const std::vector<ValidationSet>& sets, std::ostream& out) {
  std::vector<WarnedRun> runs;
  for (const ValidationSet& set : sets)
    for (const ValidationCase& one : set.cases) runs.emplace_back(one.name, one.warnings);
  for (const std::string& line : warning_lines(runs)) fmt::print(out, "{}\n", line);
}

/// `all` names the figures: every, or every other. Returns the exit code.
int conclude_limits(const std::vector<std::string>& exceeded, const char* all, std::ostream& out) {
  for (const std::string& sentence : exceeded) fmt::print(out, "exceeded: {}\n", sentence);
  fmt::print(out, "{}\n",
             exceeded.empty()
                 ? fmt::format("{} figure is within its limit", all)
                 : fmt::format("{} limit{} {} exceeded", exceeded.size(), plural_ending(exceeded.size()), is_or_are(exceeded.size())));
  return exceeded.empty() ? kDone : kSimulationFailed;
}

/// Prints the text below the tables: reasons, failures and exceeded limits. Returns the exit code.
int conclude(std::ostream& out, const std::vector<ValidationSet>& sets, const std::vector<Sensitivity>& sensitivities) {
  std::vector<std::string> exceeded;
  for (const ValidationSet& set : sets) {
    for (const ValidationCase& one : set.cases)
      if (const std::string reason = known_reason(one.name); set.is_reference && !reason.empty())
        fmt::print(out, "no limit of its own: {}: {}\n", one.name, reason);
    for (const std::string& sentence : exceeded_limits(set)) exceeded.push_back(sentence);
  }
  std::vector<std::string> failed;
  for (const Sensitivity& sensitivity : sensitivities)
    for (const std::string& sentence : failed_variations(sensitivity)) failed.push_back(sentence);
  for (const std::string& sentence : failed) fmt::print(out, "failed: {}\n", sentence);
  const int code = conclude_limits(exceeded, "every", out);
  return failed.empty() ? code : kSimulationFailed;
}

std::vector<HardwareRow> chosen_rows(const CommandLine& arguments) {
  std::vector<HardwareRow> rows = load_hardware_rows(hardware_file(arguments.text("hardware")));
  const std::vector<std::string>& names = arguments.positional();
  std::vector<std::string> known;
  for (const HardwareRow& row : rows)
    if (std::find(known.begin(), known.end(), row.what) == known.end()) known.push_back(row.what);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("validate: {} is not a row of these measurements{}; there are {}", quote(name),
                                   did_you_mean(name, known), join(known, known.size())));
  const auto unwanted = [&](const HardwareRow& row) { return std::find(names.begin(), names.end(), row.what) == names.end(); };
  if (!names.empty()) rows.erase(std::remove_if(rows.begin(), rows.end(), unwanted), rows.end());
  return rows;
}

/// The runs of the rows in order: for each its stimulus and then relative_to.
std::vector<RunSpec> specs_of(const std::vector<HardwareRow>& rows, const CommandLine& arguments) {
  std::vector<RunSpec> specs;
  for (const HardwareRow& row : rows) {
    for (const std::string& stimulus : {row.stimulus, row.relative_to}) {
      if (stimulus.empty()) continue;
      RunSpec& spec = specs.emplace_back();
      spec.config = row.machine;
      spec.stimulus = stimulus;
      spec.overrides = arguments.texts("set");
      spec.seed = arguments.count("seed", 1, 0, kNever);
    }
  }
  return specs;
}

HardwareResult result_of(const HardwareRow& row, std::vector<RunRecord>::const_iterator& record) {
  HardwareResult result;
  result.row = row;
  if (row.stimulus.empty()) return result;
  const RunRecord& own = *record++;
  const RunRecord& other = row.relative_to.empty() ? own : *record++;
  result.failure = own.failure.empty() ? other.failure : own.failure;
  if (result.failure.empty()) result.measured = hardware_figure(row, own.result, other.result);
  return result;
}

RunnerOptions batch_options(const CommandLine& arguments) {
  RunnerOptions runner;
  runner.out = arguments.text("out");
  runner.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  runner.dry = arguments.has("dry-run");
  return runner;
}

int validate_hardware(const CommandLine& arguments, const TableOutput& output, const Context& context) {
  for (const char* option : {"against", "traces", "config", "sensitivity", "strict-opcodes"})
    arguments.exclude("hardware", option, "the rows of --hardware name their machines and stimuli; give one of them");
  const std::vector<HardwareRow> rows = chosen_rows(arguments);
  const RunnerOptions runner = batch_options(arguments);
  const RunBatch batch = run_batch(specs_of(rows, arguments), runner, context.err);
  if (runner.dry) return kDone;
  if (batch.interrupted) return kInterrupted;
  std::vector<HardwareResult> results;
  auto record = batch.records.begin();
  for (const HardwareRow& row : rows) results.push_back(result_of(row, record));

  const std::string hardware = fs::path(arguments.text("hardware")).stem().string();
  output.print({hardware_table(hardware, results)});
  if (arguments.has("json")) write_file(arguments.text("json"), hardware_json(hardware, results).dump(2) + "\n");
  const std::vector<std::string> known = known_deviations(results);
  for (const std::string& sentence : known) fmt::print(output.remarks(), "known: {}\n", sentence);
  return conclude_limits(exceeded_rows(results), known.empty() ? "every" : "every other", output.remarks());
}

/// The stimuli and their runs. Throws InputError for a name that is none.
std::vector<SamplingCase> sampling_cases(const CommandLine& arguments, std::vector<RunSpec>& specs) {
  RunSpec spec;
  spec.config = arguments.text("config", "private");
  spec.overrides = arguments.texts("set");
  const std::vector<std::string> names = arguments.positional().empty() ? stimuli_of_suite("many_launches") : arguments.positional();
  std::vector<SamplingCase> cases;
  for (const std::string& name : names) {
    spec.stimulus = name;
    cases.push_back({name});
    const std::vector<RunSpec> runs =
        sampling_specs(spec, arguments.count("sampling", 0, kFewestSamples, kNever), arguments.count("repetitions", 5, 1, 1000));
    specs.insert(specs.end(), runs.begin(), runs.end());
  }
  return cases;
}

int validate_sampling(const CommandLine& arguments, const TableOutput& output, const Context& context) {
  for (const char* option : {"against", "traces", "hardware", "sensitivity", "strict-opcodes", "seed"})
    arguments.exclude("sampling", option, "--sampling compares Wharf with itself; give one of them");
  std::vector<RunSpec> specs;
  std::vector<SamplingCase> cases = sampling_cases(arguments, specs);
  RunnerOptions runner = batch_options(arguments);
  runner.most_threads = 1;  // processor time is compared
  const RunBatch batch = run_batch(specs, runner, context.err);
  if (runner.dry) return kDone;
  if (batch.interrupted) return kInterrupted;
  const std::size_t runs_of_case = specs.size() / cases.size();
  for (std::size_t i = 0; i < specs.size(); i += 2) {
    SamplingCase& one = cases[i / runs_of_case];
    const RunRecord &whole = batch.records[i], &sampled = batch.records[i + 1];
    if (one.failure.empty()) one.failure = whole.failure.empty() ? sampled.failure : whole.failure;
    one.pairs.push_back({whole.result, sampled.result});
  }
  output.print({sampling_table(cases)});
  if (arguments.has("json")) write_file(arguments.text("json"), sampling_json(cases).dump(2) + "\n");
  return has_failed(batch) ? kSimulationFailed : kDone;
}

int dry(std::size_t runs, const CommandLine& arguments, const Context& context) {
  fmt::print(context.err, "{} run{}, in {}; nothing was run\n", runs, plural_ending(runs), arguments.text("out"));
  return kDone;
}

}  // namespace

int validate_command(const Context& context) {
  CommandLine arguments = declare_validate();
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  const TableOutput output(arguments, context);
  if (arguments.has("sampling")) return validate_sampling(arguments, output, context);
  if (arguments.has("repetitions")) throw InputError("validate: --repetitions needs --sampling; leave it out");
  if (arguments.has("hardware")) return validate_hardware(arguments, output, context);
  if (arguments.has("seed")) throw InputError("validate: --seed needs --hardware; recorded traces have no seed");
  std::vector<ValidationSet> sets = chosen_sets(arguments);
  std::vector<Sensitivity> sensitivities = requested_sensitivities(arguments, sets);
  const std::vector<CaseRun> runs = plan(sets, sensitivities, arguments);
  if (arguments.has("dry-run")) return dry(runs.size(), arguments, context);
  const InterruptGuard guard;
  if (!execute(runs, arguments)) return kInterrupted;
  complete(sensitivities, sets);

  std::vector<Table> tables;
  for (const ValidationSet& set : sets) tables.push_back(validation_table(set));
  for (const Sensitivity& sensitivity : sensitivities) tables.push_back(sensitivity_table(sensitivity));
  output.print(tables);
  print_warnings(sets, output.remarks());
  if (arguments.has("json")) {
    Json json = validation_json(sets);
    if (!sensitivities.empty()) json["sensitivity"] = sensitivity_json(sensitivities);
    write_file(arguments.text("json"), json.dump(2) + "\n");
  }
  return conclude(output.remarks(), sets, sensitivities);
}

}  // namespace wharf::cli

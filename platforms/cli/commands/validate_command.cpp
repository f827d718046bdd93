// validate: compares the recorded traces and microbenchmarks on the Volta configuration with the figures of a cycle-level simulator.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/bench/validation.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/files.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

CommandLine declare() {
  CommandLine arguments(
      "validate [DIR] [NAMES...] [options]",
      "Runs the recorded traces and microbenchmarks of DIR (default tests/data/accelsim) and compares cycles, L1 hit rate, L2 and\n"
      "DRAM traffic and instruction counts with the reference in it; or those of --traces with the totals of --against. NAMES restrict the\n"
      "set. Exit code 1 where a limit is exceeded.");
  arguments.value("config", "CONFIG", "configuration (default gpus/volta_qv100)")
      .value("against", "FILE", "totals of another simulator, a line a trace, with the columns of tests/data/accelsim/results.csv")
      .value("traces", "DIR", "folder of the traces that --against names: DIR/NAME/kernelslist.g")
      .values("set", "KEY=VALUE", "set a configuration key")
      .value("out", "DIR", "folder of the runs (default out/validate)")
      .value("json", "FILE", "write the figures as JSON")
      .value("jobs", "N", "processes at a time (default: one a processor)")
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

std::vector<ValidationSet> chosen_sets(const CommandLine& arguments) {
  fs::path data = project_root() / "tests" / "data" / "accelsim";
  std::vector<std::string> names = arguments.positional();
  if (arguments.has("against") != arguments.has("traces"))
    throw InputError("validate: --against and --traces belong together: a table of totals, and the folder of the traces that it names");
  if (arguments.has("against")) {
    std::vector<ValidationSet> sets = {{"traces", kOtherLimits, read_reference(arguments.text("against"), arguments.text("traces"))}};
    for (const ValidationCase& one : sets.front().cases)
      if (!fs::exists(one.kernelslist))
        throw InputError(fmt::format("{}: names {}, of which there is no {}; correct the name or --traces", arguments.text("against"),
                                     quote(one.name), one.kernelslist.string()));
    restrict_to(sets, names);
    return sets;
  }
  if (!names.empty() && fs::is_directory(names.front())) {
    data = names.front();
    names.erase(names.begin());
  }
  std::vector<ValidationSet> sets = {{"microbenchmarks", kMicroLimits, read_reference(data / "micro_results.csv", data / "micro"), true},
                                     {"traces", kTraceLimits, read_reference(data / "results.csv", data / "traces"), true}};
  restrict_to(sets, names);
  return sets;
}

/// Reads the output of each case's run.
class Validation : public JobOwner {
 public:
  Validation(const std::vector<Job>& jobs, const std::vector<ValidationCase*>& cases, const fs::path& out)
      : jobs_(jobs), cases_(cases), out_(out) {}

  bool finished(std::size_t job, const JobResult& result) override {
    ++done_;
    const fs::path stats = out_ / cases_[job]->name / "accelsim.txt";
    if (result.ok()) {
      cases_[job]->measured = read_accelsim_stats(read_file(stats), stats.string());
      cases_[job]->warnings = warnings_of(Json::parse(read_file(out_ / cases_[job]->name / "result.json")));
    } else {
      cases_[job]->failure = failure_of(result.exit_code, jobs_[job].log);
    }
    idle();
    return false;
  }

  void idle() override {
    bar_.show(static_cast<double>(done_) / static_cast<double>(jobs_.size()), fmt::format("{}/{} runs", done_, jobs_.size()));
  }

 private:
  const std::vector<Job>& jobs_;
  const std::vector<ValidationCase*>& cases_;
  const fs::path& out_;
  ProgressBar bar_;
  std::size_t done_ = 0;
};

/// Runs one process per case. Returns false where interrupted.
bool execute(std::vector<ValidationSet>& sets, const CommandLine& arguments) {
  const fs::path out = arguments.text("out", "out/validate");
  std::vector<Job> jobs;
  std::vector<ValidationCase*> cases;
  for (ValidationSet& set : sets) {
    for (ValidationCase& one : set.cases) {
      RunSpec spec;
      spec.config = arguments.text("config", "gpus/volta_qv100");
      spec.trace = one.kernelslist.string();
      take_trace_options(arguments, spec);
      spec.overrides = arguments.texts("set");
      if (cases.empty()) closed_configuration_of(spec);  // reports a mistake of the user once, not for every run
      const fs::path folder = out / one.name;
      std::vector<std::string> run = run_arguments(spec, folder);
      run.push_back("--accelsim-stats=" + (folder / "accelsim.txt").string());
      jobs.push_back({run, folder / "log.txt"});
      cases.push_back(&one);
    }
  }
  Validation validation(jobs, cases, out);
  return run_jobs(jobs, static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024)), validation);
}

void print_warnings(const std::vector<ValidationSet>& sets, std::ostream& out) {
  std::vector<WarnedRun> runs;
  for (const ValidationSet& set : sets)
    for (const ValidationCase& one : set.cases) runs.emplace_back(one.name, one.warnings);
  for (const std::string& line : warning_lines(runs)) fmt::print(out, "{}\n", line);
}

}  // namespace

int validate_command(const Context& context) {
  CommandLine arguments = declare();
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  const TableOutput output(arguments, context);
  std::vector<ValidationSet> sets = chosen_sets(arguments);
  const InterruptGuard guard;
  if (!execute(sets, arguments)) return kInterrupted;

  std::vector<std::string> exceeded;
  std::vector<Table> tables;
  for (const ValidationSet& set : sets) {
    tables.push_back(validation_table(set));
    for (const std::string& sentence : exceeded_limits(set)) exceeded.push_back(sentence);
  }
  output.print(tables);
  print_warnings(sets, output.remarks());
  if (arguments.has("json")) write_file(arguments.text("json"), validation_json(sets).dump(2) + "\n");
  for (const ValidationSet& set : sets)
    for (const ValidationCase& one : set.cases)
      if (const std::string reason = known_reason(one.name); set.recorded_here && !reason.empty())
        fmt::print(output.remarks(), "chaotic, no limit of its own: {}: {}\n", one.name, reason);
  for (const std::string& sentence : exceeded) fmt::print(output.remarks(), "exceeded: {}\n", sentence);
  fmt::print(output.remarks(), "{}\n",
             exceeded.empty() ? "every figure is within its limit" : fmt::format("{} limits are exceeded", exceeded.size()));
  return exceeded.empty() ? kDone : kSimulationFailed;
}

}  // namespace wharf::cli

// explain: shows where the cycles of a run went, and why one run is faster than another.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/explain/explanation.h"
#include "platforms/cli/explain/what_if.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/plural.h"

namespace wharf::cli {
namespace {

CommandLine declare_explain() {
  CommandLine arguments(
      "explain RUN [RUN] [options]",
      "Explains where the issue slots of a run went: the three largest causes, what the figures say about each, and the key\n"
      "to change. For two runs it explains why the second is faster or slower. RUN is the folder of a finished run, or a configuration\n"
      "with --stimulus or --trace. A run whose slots were not counted (run --explain) is repeated with counting, and kept.\n"
      "--set changes the last RUN: explain RUN RUN --set KEY=VALUE shows the effect of a key.");
  declare_stimulus(arguments, "stimulus of configurations, such as gemm@std or trace:DIR:3-7 (default: that of the folder)");
  declare_stimuli(arguments, "with --what-if: each stimulus of this suite, and how many predictions are close; continues where it stopped");
  arguments.values("set", "KEY=VALUE", "set a configuration key of the last RUN; may be repeated")
      .values("set-both", "KEY=VALUE", "set a key of every RUN")
      .value("seed", "N", "seed of all random numbers (default 1)")
      .value("limit-warp-instructions", "N", "stop soon after N warp instructions")
      .value("limit-cycles", "N", "stop at this core cycle")
      .flag("what-if", "for one RUN: its gain without its largest causes, predicted, and measured on idealised machines")
      .flag("json", "print JSON instead of sentences")
      .output_folder("out", "folder of new runs (default out/explain)", "", {"runs.sqlite"})
      .value("jobs", "N", "processes at a time (default: one per processor)")
      .flag("dry-run", kDryRunHelp)
      .positionals(2);
  declare_trace_options(arguments);
  declare_progress(arguments, "no progress bar");
  return arguments;
}

RunSpec given_by(const CommandLine& arguments) {
  RunSpec spec;
  spec.stimulus = chosen_stimulus(arguments);
  read_trace_options(arguments, spec);
  spec.seed = arguments.count("seed", 1, 0, kNever);
  spec.limit_warp_instructions = arguments.count("limit-warp-instructions", kNever, 1, kNever);
  spec.limit_cycles = arguments.count("limit-cycles", kNever, 1, kNever);
  return spec;
}

/// A configuration without a stimulus takes that of the other run.
void share_stimulus(std::vector<ExplainedRun>& runs) {
  for (ExplainedRun& run : runs) {
    for (const ExplainedRun& other : runs) {
      if (!run.spec.stimulus.empty()) break;
      const std::string config = run.spec.config;
      const std::vector<std::string> overrides = run.spec.overrides;
      run.spec = other.spec;
      run.spec.config = config;
      run.spec.overrides = overrides;
    }
    if (run.spec.stimulus.empty())
      throw InputError("explain: give --stimulus SPEC or --trace FILE for " + run.name + ", or name the folder of a finished run");
    if (run.result.is_null()) check_stimulus(run.spec.stimulus);
    closed_configuration_of(run.spec);
  }
}

std::vector<ExplainedRun> runs_of(const CommandLine& arguments) {
  const std::vector<std::string>& names = arguments.positional();
  if (names.empty()) throw InputError("explain: name the folder of a finished run, or a configuration with --stimulus SPEC");
  std::vector<ExplainedRun> runs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    RunSpec given = given_by(arguments);
    given.overrides = arguments.texts("set-both");
    if (i + 1 == names.size())
      for (const std::string& setting : arguments.texts("set")) set_key(given, setting);
    runs.push_back(named_run(names[i], given));
  }
  share_stimulus(runs);
  return runs;
}

void print(const std::vector<ExplainedRun>& runs, const std::vector<WhatIf>& what_ifs, bool json, std::ostream& out) {
  std::vector<Explanation> explanations;
  for (const ExplainedRun& run : runs) explanations.push_back(explain(run));
  if (json) {
    Json document = {{"runs", Json::array()}};
    for (const Explanation& explanation : explanations) document["runs"].push_back(as_json(explanation));
    if (runs.size() == 2) document["difference"] = as_json(difference(runs[0].result, runs[1].result));
    if (!what_ifs.empty()) document["what_if"] = as_json(what_ifs);
    fmt::print(out, "{}\n", document.dump(2));
    return;
  }
  if (runs.size() == 2)
    fmt::print(out, "{}\nWhat limits B now:\n\n", as_text(difference(runs[0].result, runs[1].result), explanations[0], explanations[1]));
  fmt::print(out, "{}", as_text(explanations.back()));
  if (!what_ifs.empty()) fmt::print(out, "\n{}", as_text(table_of(what_ifs)));
}

RunnerOptions runner_options_of(const CommandLine& arguments) {
  RunnerOptions options;
  options.out = arguments.text("out", "out/explain");
  options.jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  options.progress = arguments.has("json") && !arguments.has("progress") ? ProgressStyle::none : progress_style(arguments);
  return options;
}

int stopped(const RunnerOptions& options, const Context& context) {
  fmt::print(context.err, "stopped; finished runs are kept in {}: the same command continues\n", options.out.string());
  return kInterrupted;
}

int dry(std::size_t runs, const Context& context) {
  fmt::print(context.err, "{} run{} would be repeated to count issue slots; nothing was run\n", runs, plural_ending(runs));
  return kDone;
}

/// The gain of each of many stimuli on one configuration.
int what_if_of_many(const CommandLine& arguments, const Context& context) {
  if (!arguments.has("what-if"))
    throw InputError("explain: --suite, --stimuli and --traces need --what-if; give it, or name one stimulus with --stimulus");
  if (arguments.positional().size() != 1 || has_stimulus(arguments))
    throw InputError("explain: with --suite, --stimuli or --traces name one configuration, and neither --stimulus nor --trace");
  std::vector<WhatIfs> all;
  for (const std::string& stimulus : chosen_stimuli(arguments, "")) {
    RunSpec given = given_by(arguments);
    given.config = arguments.positional().front();
    given.stimulus = stimulus;
    given.overrides = arguments.texts("set-both");
    for (const std::string& setting : arguments.texts("set")) set_key(given, setting);
    closed_configuration_of(given);
    all.push_back({{given.config + " with " + stimulus, given, Json()}});
  }
  if (arguments.has("dry-run")) return dry(all.size(), context);
  const RunnerOptions options = runner_options_of(arguments);
  if (!measure(all, options, context.err)) return stopped(options, context);
  if (!arguments.has("json")) {
    fmt::print(context.out, "{}\n{}", as_text(table_of(all)), as_text(summary_of(all)));
    return kDone;
  }
  Json document = Json::array();
  for (const WhatIfs& one : all) document.push_back({{"stimulus", one.run.spec.stimulus}, {"what_if", as_json(one.what_ifs)}});
  fmt::print(context.out, "{}\n", document.dump(2));
  return kDone;
}

/// One run or two.
int explain_runs(const CommandLine& arguments, const Context& context) {
  std::vector<ExplainedRun> runs = runs_of(arguments);
  if (arguments.has("what-if") && runs.size() != 1) throw InputError("explain: --what-if takes one run; leave out the other");
  if (arguments.has("dry-run")) {
    const auto is_open = [](const ExplainedRun& run) { return run.result.is_null(); };
    return dry(static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_open)), context);
  }
  const RunnerOptions options = runner_options_of(arguments);
  if (arguments.has("what-if")) {
    std::vector<WhatIfs> one = {{runs.front()}};
    if (!measure(one, options, context.err)) return stopped(options, context);
    print({one.front().run}, one.front().what_ifs, arguments.has("json"), context.out);
    return kDone;
  }
  std::vector<ExplainedRun*> pointers;
  for (ExplainedRun& run : runs) pointers.push_back(&run);
  if (!make_runs(pointers, options, context.err)) return stopped(options, context);
  print(runs, {}, arguments.has("json"), context.out);
  return kDone;
}

}  // namespace

int explain_command(const Context& context) {
  CommandLine arguments = declare_explain();
  if (!parse_with_plugins(arguments, context)) return kDone;
  if (has_stimuli(arguments)) return what_if_of_many(arguments, context);
  try {
    return explain_runs(arguments, context);
  } catch (const Json::exception&) {  // this program writes results that it can read
    throw InputError(
        fmt::format("explain: the result.json of {} is damaged, or another version of wharf wrote it; repeat the run with --explain",
                    fmt::join(arguments.positional(), ", ")));
  }
}

}  // namespace wharf::cli

// run: runs one configuration with one stimulus or trace.

#include <fmt/ostream.h>

#include <filesystem>
#include <optional>
#include <ostream>
#include <system_error>

#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/run_report.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/attempt.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/run_output.h"
#include "platforms/cli/runs/checkpoint.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/runs/sampling.h"
#include "platforms/cli/runs/single_run.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table_format.h"
#include "stimuli/cuda/recording/recording_name.h"

namespace wharf::cli {

namespace {

CommandLine declare_run() {
  CommandLine arguments("run CONFIG (--stimulus SPEC | --trace FILE) [options]",
                        "Simulates one configuration. Writes result.json, stats.csv and config.yaml and prints a summary.\n"
                        "CONFIG is a name that 'wharf list configs' prints, or a YAML file.");
  declare_stimulus(arguments, "such as gemm@std, gemm:n=256 or trace:DIR:3-7; see 'wharf list stimuli' and docs/howto-traces.md");
  arguments.output_folder("out", "folder of the results", "out/run", result_files())
      .values("set", "KEY=VALUE", "set a configuration key, such as sm.warp_scheduler=gto; may be repeated")
      .value("seed", "N", "seed of all random numbers (default 1)")
      .flag("verify", "check every load against golden memory")
      .flag("scramble", "permute the order of blocks within a phase: the result must not change")
      .value("threads", "N", "threads that advance the machine (default 1): the result does not change")
      .flag("ticking", "call every block in every cycle (slow): the result must not change")
      .flag("explain", "count every issue slot by cause, for 'wharf explain'")
      .value("explain-every", "N", "count issue slots of every Nth SM only, which costs an Nth of the time")
      .value("limit-warp-instructions", "N", "stop soon after N warp instructions")
      .value("limit-cycles", "N", "stop at this core cycle")
      .value("sample", "N",
             "simulate N launches of each group of like launches, execute the others functionally, and estimate the whole run: "
             "docs/howto-sample.md")
      .value("sample-error", "PERCENT",
             "draw more than N, and simulate again, until half the 95 % interval of cycles is at most PERCENT of the estimate")
      .count_and_output("save-at", "KERNEL FILE",
                        "write the state of the run to FILE after KERNEL kernels, and continue: docs/howto-save.md")
      .input("load", "FILE", "continue from such a file instead of the beginning")
      .output("timeline", "write a timeline for Perfetto or chrome://tracing")
      .output("waves", "write a VCD file with the signals of every RTL block")
      .output("accelsim-stats", "write totals under Accel-Sim's names")
      .flag("dry-run", kDryRunHelp)
      .positionals(1);
  declare_trace_options(arguments);
  declare_check(arguments);
  declare_progress(arguments, "no progress bar and no summary");
  TableOutput::declare(arguments);
  return arguments;
}

/// Options that need every launch, or a run without gaps.
void refuse_unsampleable(const CommandLine& arguments) {
  for (const char* whole : {"explain", "explain-every", "save-at", "load", "timeline", "waves", "accelsim-stats"})
    arguments.exclude("sample", whole, "it needs all launches in detail; leave one of them out");
  for (const char* limit : {"limit-warp-instructions", "limit-cycles"})
    arguments.exclude("sample", limit, "an estimate is of a whole program; leave one of them out");
  arguments.exclude("sample", "skip-bad-kernels", "a sample needs the headers of all kernels; repair the trace, or leave one of them out");
}

RunSpec spec_of(const CommandLine& arguments) {
  if (arguments.positional().empty()) throw InputError("run: name a configuration, such as private; 'wharf list configs' prints them");
  RunSpec spec;
  spec.config = arguments.positional().front();
  spec.stimulus = chosen_stimulus(arguments);
  read_trace_options(arguments, spec);
  spec.device.checks = checks_of(arguments);
  if (!spec.device.checks.empty() && !cuda::is_recording(spec.stimulus))
    throw InputError("run: --check is for CUDA programs; give --stimulus cuda:FILE, or use `wharf cuda`");
  spec.overrides = arguments.texts("set");
  spec.seed = arguments.count("seed", 1, 0, kNever);
  spec.verify = arguments.has("verify");
  arguments.exclude("explain", "explain-every", "--explain counts all SMs, --explain-every only every Nth; give one");
  spec.explain = arguments.has("explain") ? 1 : static_cast<unsigned>(arguments.count("explain-every", 0, 1, 1024));
  spec.limit_warp_instructions = arguments.count("limit-warp-instructions", kNever, 1, kNever);
  spec.limit_cycles = arguments.count("limit-cycles", kNever, 1, kNever);
  refuse_unsampleable(arguments);
  spec.sample = arguments.count("sample", 0, kFewestSamples, kNever);
  spec.load = arguments.text("load");
  if (arguments.has("load") && spec.load.empty()) throw InputError("run: --load: the name of the file is empty");
  if (arguments.has("save-at")) {
    const auto [kernel, file] = arguments.texts_of_pair("save-at");
    spec.save_at = parse_count(kernel, "--save-at", 1, kNever - 1);
    spec.save_file = file;
  }
  return spec;
}

void require_stimulus(const CommandLine& arguments) {
  if (!has_stimulus(arguments)) throw InputError("run: give either --stimulus SPEC or --trace FILE; 'wharf list stimuli' prints the names");
  for (const char* whole : {"timeline", "waves"})
    arguments.exclude("load", whole, "it covers a run from its beginning; leave one of them out");
}

RunOptions options_of(const CommandLine& arguments) {
  RunOptions options;
  options.scramble = arguments.has("scramble");
  options.ticking = arguments.has("ticking");
  options.threads = static_cast<unsigned>(arguments.count("threads", 1, 1, Islands::kMost));
  options.timeline_file = arguments.text("timeline");
  options.waves_file = arguments.text("waves");
  return options;
}

/// Where a sample that replaces a smaller one writes its results until it has ended, so that an interrupt leaves those of the smaller one.
RunFiles of_larger_sample(const RunFiles& files) { return {files.out / "larger_sample", {}}; }

void move_results(const RunFiles& from, const RunFiles& to) {
  for (const std::string& file : result_files()) std::filesystem::rename(from.out / file, to.out / file);
  std::error_code not_empty;  // a file of the user's stays
  std::filesystem::remove(from.out, not_empty);
}

/// What a child asks for that needs one thread, instead of a larger sample.
constexpr std::uint64_t kOneThread = kNever;

/// Starts a process for each run until its sample is large enough, and several threads can advance it or one does. Returns the exit code in the
/// parent, and nothing in a child, which has to simulate `run` with `options` and write to `files`.
std::optional<int> attempt_runs(PreparedRun& run, RunOptions& options, std::optional<Attempt>& attempt, RunFiles& files,
                                std::ostream& err) {
  const RunFiles results = files;
  while (!attempt.emplace().is_child()) {
    const std::uint64_t per_group = attempt->wait();
    if (per_group == 0) {
      if (attempt->exit_code() > 128 && !InterruptGuard::requested())
        fmt::print(err, "wharf: the run was ended by {}\n", describe_exit(attempt->exit_code()));
      if (files.out != results.out && attempt->exit_code() != kDone)
        fmt::print(err, "wharf: {} has the sample before, whose interval is wider than asked\n", results.out.string());
      return attempt->exit_code();
    }
    if (per_group == kOneThread) {
      if (InterruptGuard::requested()) throw InputError("run: stopped by a signal before anything was measured");
      options.threads = 1;
      continue;
    }
    if (InterruptGuard::requested()) {
      fmt::print(err, "wharf: stopped by a signal; {} has the last sample, whose interval is wider than asked\n", results.out.string());
      return kInterrupted;
    }
    run.plan = SamplingPlan(run.plan->launches(), per_group, run.spec.seed, run.plan->warmed_by());
    files = of_larger_sample(results);
  }
  return std::nullopt;
}

int dry(const PreparedRun& run, const CommandLine& arguments, const Context& context) {
  if (!run.spec.load.empty()) require_continuation(read_checkpoint_head(run.spec.load), run.spec, run.configuration);
  fmt::print(context.err, "{} with {} would run and write to {}; nothing was run\n", run.spec.config, run.spec.stimulus,
             arguments.text("out"));
  return kDone;
}

}  // namespace

int run_command(const Context& context) {
  CommandLine arguments = declare_run();
  if (!parse_with_plugins(arguments, context)) return kDone;
  const RunSpec spec = spec_of(arguments);
  require_stimulus(arguments);
  PreparedRun run = prepare_run(spec);
  if (spec.sample != 0) require_sampleable(spec, run.configuration);
  const double error = sample_error_of(arguments);
  const TableOutput output(arguments, context);
  if (arguments.has("dry-run")) return dry(run, arguments, context);
  RunFiles files{arguments.text("out"), arguments.text("accelsim-stats")};

  ProgressBar bar(progress_style(arguments));
  const auto on_launch = [&](std::size_t earlier) { bar.show(-1.0, fmt::format("{} launches executed functionally", earlier)); };
  if (spec.sample != 0) run.plan = plan_launches(spec, run.configuration, on_launch);
  const InterruptGuard guard;
  const RunFiles results = files;
  std::optional<Attempt> attempt;
  RunOptions options = options_of(arguments);
  if (error != 0.0 || options.threads > 1) {
    bar.clear();
    if (const auto exit_code = attempt_runs(run, options, attempt, files, context.err)) return *exit_code;
  }
  const auto on_progress = [&](double fraction, const Progress& progress, double elapsed_s) {
    bar.show(fraction, progress_text(progress, elapsed_s));
    return !InterruptGuard::requested();
  };
  const auto say_one_thread = [&](const std::string& why) {
    bar.clear();
    fmt::print(context.err, "wharf: one thread advances the machine, because {}\n", why);
  };
  RunOutcome outcome;
  try {
    outcome = execute(run, options, on_progress, files);
  } catch (const OneThreadNeeded& needed) {
    say_one_thread(needed.what());
    attempt->again_with(kOneThread);
  }
  bar.clear();
  if (!outcome.why_one_thread.empty()) say_one_thread(outcome.why_one_thread);
  if (error != 0.0 && !outcome.result["partial"].get<bool>()) {
    if (files.out != results.out) move_results(files, results);
    files = results;
    if (const std::uint64_t per_group = next_per_group(outcome.result, error)) attempt->again_with(per_group);
  }
  return report_run(spec, outcome, files, arguments.has("quiet"), output, context);
}

}  // namespace wharf::cli

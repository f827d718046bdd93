// cuda: compiles and runs a CUDA program, records it, and compares configurations by it.

#include <fmt/ostream.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <systemc>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/run_report.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/cuda/inspection.h"
#include "platforms/cli/cuda/program_file.h"
#include "platforms/cli/cuda/program_run.h"
#include "platforms/cli/cuda/toolchain.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/run_output.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

constexpr const char* kDefaultConfig = "private";

CommandLine declare() {
  CommandLine arguments(
      "cuda PROGRAM|FILE.cu... [options] [-- ARGUMENTS]",
      "Runs a CUDA program on a simulated GPU, a configuration that 'wharf list configs' prints. Sources are compiled by clang; a PROGRAM\n"
      "was made by 'wharf nvcc', or by nvcc with --cudart shared. The program's output goes to stdout, followed by the result of the run\n"
      "as 'wharf run' prints it. With several configurations the program is run once without timing and recorded; the recording runs\n"
      "on each, as 'wharf compare' does. 'wharf cuda inspect FILE' lists the kernels of a program, source, PTX file or recording.\n"
      "The program runs with your rights, like any program that you start; Wharf does not confine it. docs/howto-cuda.md.");
  arguments.value("config", "CONFIG[,CONFIG...]", "the GPU: a name that 'wharf list configs' prints, or a YAML file (default private)")
      .flag("functional", "execute without timing, to check that the program is correct")
      .output("record", "write a recording, which runs as the stimulus cuda:FILE without the program")
      .values("compile", "OPTION", "an option of 'wharf nvcc' for sources, such as --compile=-DN=4; may be repeated")
      .output_folder("out", "folder of the results", "out/cuda", result_files())
      .values("set", "KEY=VALUE", "set a configuration key, such as sm.warp_scheduler=gto; may be repeated")
      .value("seed", "N", "seed of all random numbers in the GPU (default 1)")
      .flag("verify", "check every load against golden memory")
      .flag("explain", "count every issue slot by cause, for 'wharf explain'")
      .value("limit-cycles", "N", "stop at this core cycle")
      .value("only", "KERNELS", "time these kernels and execute the others without timing: 3-7, gemm*, gemm:2, docs/howto-cuda.md")
      .value("skip", "N", "short for --only with all kernels after the first N")
      .value("sample", "N/M", "short for --only with the first N of each M kernels")
      .value("jobs", "N", "with several configurations: processes at a time (default: one per processor)")
      .value("channel", "SOCKET,MEMORY", "descriptors of a program that already runs; only Wharf's runtime library passes them")
      .flag("dry-run", kDryRunHelp)
      .positionals(256);
  declare_device_options(arguments);
  declare_progress(arguments, "no progress bar and no summary");
  TableOutput::declare(arguments);
  return arguments;
}

/// The arguments before and after `--`.
struct SplitArguments {
  std::vector<std::string> ours, program;
};

SplitArguments split(const std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  SplitArguments split{{arguments.begin(), dashes}, {}};
  if (dashes != arguments.end()) split.program.assign(std::next(dashes), arguments.end());
  return split;
}

std::vector<std::string> configs_of(const CommandLine& arguments) {
  const std::vector<std::string> configs = split_list(arguments.text("config", kDefaultConfig));
  if (configs.empty()) throw InputError("cuda: --config names none; give one, such as private");
  return configs;
}

/// Which kernels are timed, as KERNELS[:warm] of a recording's name; empty: all.
std::string selection_of(const CommandLine& arguments) {
  for (const char* shorter : {"skip", "sample"}) arguments.exclude("only", shorter, "each selects the kernels that are timed; give one");
  arguments.exclude("skip", "sample", "each selects the kernels that are timed; give one");
  if (arguments.has("skip")) return fmt::format("{}-", arguments.count("skip", 0, 0, kNever - 2) + 1);
  const std::string sample = arguments.text("sample");
  if (arguments.has("sample") && sample.find('/') == std::string::npos)
    throw InputError("cuda: --sample: " + quote(sample) + " is not a sample; write, for example, 1/10, for the first of each 10 kernels");
  return arguments.text("only", sample);
}

/// The mistakes of a selection, before anything runs.
void check_selection(const CommandLine& arguments) {
  std::string kernels = selection_of(arguments);
  if (kernels.empty()) return;
  const bool warm = strip_warm_suffix(kernels);
  KernelChoice("cuda: --only", kernels);
  if (arguments.has("functional")) throw InputError("cuda: --functional does not time any kernel; leave out --only, --skip and --sample");
  if (warm && arguments.has("explain"))
    throw InputError("cuda: --explain counts issue slots from the beginning of a run; leave out :warm to count the kernels before as well");
}

RunSpec spec_of(const CommandLine& arguments, const std::string& config, const std::string& program) {
  RunSpec spec;
  spec.config = config;
  spec.stimulus = kProgramPrefix + program;
  if (const std::string kernels = selection_of(arguments); !kernels.empty()) spec.stimulus += ':' + kernels;
  spec.overrides = arguments.texts("set");
  spec.seed = arguments.count("seed", 1, 0, kNever);
  spec.verify = arguments.has("verify");
  spec.explain = arguments.has("explain") ? 1 : 0;
  spec.limit_cycles = arguments.count("limit-cycles", kNever, 1, kNever);
  spec.device = device_options_of(arguments);
  return spec;
}

int run_with_timing(const CommandLine& arguments, const PreparedRun& run, const ProgramRun& named, const Context& context) {
  const TableOutput output(arguments, context);
  const RunFiles files{arguments.text("out"), {}};
  const InterruptGuard guard;
  ProgressBar bar(progress_style(arguments));
  const auto on_progress = [&](double fraction, const Progress& progress, double elapsed_s) {
    bar.show(fraction, progress_text(progress, elapsed_s));
    return !InterruptGuard::requested();
  };
  const std::unique_ptr<cuda::ProgramStimulus> program = start(named, run);
  if (std::string kernels = selection_of(arguments); !kernels.empty()) {
    const bool warm = strip_warm_suffix(kernels);
    program->choose(KernelChoice(run.spec.stimulus, kernels), warm);
  }
  program->device().set_clock([] { return sc_core::sc_time_stamp().to_seconds(); });
  const RunOutcome outcome = execute(run, *program, kNever, {}, on_progress, files);
  bar.clear();
  return report_run(run.spec, outcome, files, arguments.has("quiet"), output, context);
}

/// Records the program on the first configuration, then compares all by the recording.
int compare(const CommandLine& arguments, const std::vector<PreparedRun>& runs, const std::vector<std::string>& configs, ProgramRun program,
            const Context& context) {
  for (const char* single : {"verify", "limit-cycles"})
    if (arguments.has(single))
      throw InputError(fmt::format(
          "cuda: --{} works with one configuration only; record the program and use `wharf run --stimulus cuda:FILE` instead", single));
  const std::string out = arguments.text("out");
  if (program.recording.empty())
    program.recording = (fs::path(out) / (fs::path(program.command.front()).stem().string() + ".wcr")).string();
  if (const int code = run_functionally(program, runs.front(), progress_style(arguments), context); code != kDone) return code;
  if (!arguments.has("quiet")) report_grid_mismatch(runs, context);
  const std::string kernels = selection_of(arguments);
  std::vector<std::string> compared = configs;
  compared.insert(compared.end(), {"--stimuli=cuda:" + program.recording + (kernels.empty() ? "" : ':' + kernels), "--out=" + out});
  for (const std::string& setting : arguments.texts("set")) compared.push_back("--set=" + setting);
  for (const std::string& plugin : arguments.texts("plugin")) compared.push_back("--plugin=" + plugin);
  for (const char* name : {"seed", "jobs", "format", "progress"})
    if (arguments.has(name)) compared.push_back(fmt::format("--{}={}", name, arguments.text(name)));
  for (const char* name : {"explain", "quiet"})
    if (arguments.has(name)) compared.push_back(fmt::format("--{}", name));
  return compare_command({compared, context.out, context.err});
}

/// Compiles the program, where it is given as sources; `path` is then its file. Returns false where a signal has come meanwhile.
bool compile(ProgramFile& program, const CudaParams& device, std::string& path) {
  const InterruptGuard guard;
  try {
    path = program.path(device.compute_major() * 10 + device.compute_minor());
  } catch (const InputError&) {
    if (!InterruptGuard::requested()) throw;  // else the compiler had the signal too
  }
  return !InterruptGuard::requested();
}

/// The plan in words, for --dry-run.
int print_plan(const CommandLine& arguments, const std::vector<std::string>& configs, const std::vector<std::string>& files,
               const Context& context) {
  fmt::print(context.err, "{} would run on {}, to {}; nothing was run\n", join(files), join(configs), arguments.text("out"));
  return kDone;
}

}  // namespace

int cuda_command(const Context& context) {
  const auto [ours, program_arguments] = split(context.arguments);
  CommandLine arguments = declare();
  if (!parse_with_plugins(arguments, {ours, context.out, context.err})) return kDone;
  std::vector<std::string> files = arguments.positional();
  if (!files.empty() && files.front() == "inspect") {
    files.erase(files.begin());
    return inspect(files, arguments.texts("compile"), TableOutput(arguments, context));
  }
  check_selection(arguments);
  const bool is_running = arguments.has("channel");
  if (files.empty() != is_running) throw InputError("cuda: name a program or its .cu files, as in: wharf cuda app.cu -- 4096");
  ProgramFile program(files, arguments.texts("compile"));

  std::vector<std::string> named = {is_running ? "a program that runs" : files.front()};
  named.insert(named.end(), program_arguments.begin(), program_arguments.end());
  ProgramRun run = {named, cuda::to_text(named), arguments.text("record"), arguments.text("channel")};
  const std::vector<std::string> configs = configs_of(arguments);
  std::vector<PreparedRun> prepared;
  for (const std::string& config : configs) {
    const RunSpec spec = spec_of(arguments, config, run.name);
    prepared.push_back({spec, configs.size() == 1 ? closed_configuration_of(spec) : configuration_of(spec)});
  }
  if (arguments.has("functional") && configs.size() > 1) throw InputError("cuda: --functional needs no GPU; give one --config or none");
  if (configs.size() > 1 && is_running) throw InputError("cuda: a program that has started Wharf runs on one configuration; name one");
  if (arguments.has("dry-run")) return print_plan(arguments, configs, files, context);

  const CudaParams& device = prepared.front().configuration.params.cuda;
  if (!is_running && !compile(program, device, run.command.front())) {
    fmt::print(context.err, "wharf: stopped by a signal before the program ran\n");
    return kInterrupted;
  }
  if (configs.size() > 1) return compare(arguments, prepared, configs, run, context);
  if (arguments.has("functional")) return run_functionally(run, prepared.front(), progress_style(arguments), context);
  return run_with_timing(arguments, prepared.front(), run, context);
}

}  // namespace wharf::cli

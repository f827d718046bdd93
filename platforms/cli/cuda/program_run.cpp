#include "platforms/cli/cuda/program_run.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/cuda/device_description.h"
#include "platforms/cli/cuda/program_file.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/check_results.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/table.h"
#include "stimuli/functional_run.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

/// Reports the results of a functional run; returns true if a check found mistakes.
bool report_findings(const cuda::PtxDevice& device, bool quiet, const Context& context) {
  for (const std::string& fault : device.faults()) fmt::print(context.err, "returned to the program: {}\n", fault);
  return report_checks(checks_json(device), quiet, context.err);
}

void report_warnings(const cuda::ProgramStimulus& stimulus, const Context& context) {
  for (const auto& [text, count] : stimulus.warnings()) fmt::print(context.err, "{}\n", warning_line(text, count));
}

}  // namespace

std::unique_ptr<cuda::ProgramStimulus> start(const ProgramRun& program, const PreparedRun& gpu) {
  const cuda::DeviceDescription device = describe_device(gpu.configuration.params, gpu.spec.config);
  std::unique_ptr<cuda::RecordingWriter> writer;
  if (!program.recording.empty()) {
    fs::create_directories(fs::absolute(program.recording).parent_path());
    writer = std::make_unique<cuda::RecordingWriter>(program.recording, program.name);
  }
  std::unique_ptr<cuda::ProgramStimulus> stimulus;
  if (program.channel.empty()) {
    stimulus = std::make_unique<cuda::ProgramStimulus>(program_start(program.command, program.folder), device, std::move(writer));
  } else {
    const auto [socket, memory] = channel_of(program.channel);
    stimulus = std::make_unique<cuda::ProgramStimulus>(socket, memory, device, std::move(writer));
  }
  stimulus->stop_when([] { return InterruptGuard::requested(); });
  cuda::DeviceOptions options = gpu.spec.device;
  options.program = gpu.configuration.params.cuda.options();
  stimulus->device().use(options);
  return stimulus;
}

int run_functionally(const ProgramRun& program, const PreparedRun& gpu, ProgressStyle progress, const Context& context) {
  const InterruptGuard guard;
  ProgressBar bar(progress);
  const bool quiet = progress == ProgressStyle::none;
  const std::unique_ptr<cuda::ProgramStimulus> stimulus = start(program, gpu);
  FunctionalRun ran;
  try {
    ran = wharf::run_functionally(*stimulus, [&](const FunctionalRun& so_far) {
      bar.show(-1.0, fmt::format("{} kernels, {} warp instructions", so_far.kernels, with_commas(so_far.warp_instructions)));
      return !InterruptGuard::requested();
    });
  } catch (const SimulationError&) {
    bar.clear();
    report_findings(stimulus->device(), true, context);
    report_warnings(*stimulus, context);
    throw;
  }
  bar.clear();
  if (ran.stopped) {
    fmt::print(context.err, "wharf: stopped by a signal in {}\n", ran.stopped_at);
    return kInterrupted;
  }
  if (stimulus->stopped()) {
    fmt::print(context.err, "wharf: stopped by a signal while no kernel ran, after {} kernel{}\n", ran.kernels, plural_ending(ran.kernels));
    return kInterrupted;
  }
  const bool is_wrong = report_findings(stimulus->device(), quiet, context);
  report_warnings(*stimulus, context);
  if (const std::string failure = stimulus->failure(); !failure.empty()) throw SimulationError(failure);
  if (!quiet)
    fmt::print(context.err, "{}: {} kernel{}, {} warp instruction{}, without timing{}\n", program.name, ran.kernels,
               plural_ending(ran.kernels), with_commas(ran.warp_instructions), plural_ending(ran.warp_instructions),
               program.recording.empty() ? "" : "; wrote " + program.recording);
  return is_wrong ? kSimulationFailed : kDone;
}

void report_grid_mismatch(const std::vector<PreparedRun>& runs, const Context& context) {
  const PreparedRun& first = runs.front();
  std::vector<std::string> others;
  for (const PreparedRun& run : runs)
    if (run.configuration.params.sms != first.configuration.params.sms)
      others.push_back(fmt::format("{} of {}", run.configuration.params.sms, run.spec.config));
  if (!others.empty())
    fmt::print(context.err, "the program chose its grids for the {} SMs of {}, but these configurations have other numbers of SMs: {}\n",
               first.configuration.params.sms, first.spec.config, join(others));
}

}  // namespace wharf::cli

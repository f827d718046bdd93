#include "platforms/cli/claims/programs/program_recording.h"

#include <algorithm>

#include "model/base/error.h"
#include "platforms/cli/claims/claim_results.h"
#include "platforms/cli/cuda/program_file.h"
#include "platforms/cli/cuda/program_run.h"
#include "platforms/cli/program.h"
#include "platforms/cli/stimuli.h"
#include "stimuli/cuda/recording/recording_name.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

/// The machines of the claims, one for each number of SMs.
std::vector<PreparedRun> gpus_of(const std::vector<Claim>& claims) {
  std::vector<PreparedRun> gpus;
  for (const Claim& claim : claims)
    for (const Measure& measure : claim.measures)
      for (const Machine* machine : machines_of(measure)) {
        RunSpec spec;
        spec.config = machine->config;
        spec.overrides = machine->overrides;
        Configuration configuration = configuration_of(spec);
        const auto has_as_many = [&](const PreparedRun& gpu) { return gpu.configuration.params.sms == configuration.params.sms; };
        if (std::none_of(gpus.begin(), gpus.end(), has_as_many)) gpus.push_back({spec, std::move(configuration)});
      }
  return gpus;
}

/// The selection after the name of its recording.
std::string selection_of(const ClaimProgram& program) {
  if (!program.recording.empty()) return split_recorded(program.recording).selection;
  return program.kernels.empty() ? "" : ':' + program.kernels;
}

void link(const std::string& recording, const fs::path& file) {
  const fs::path target = fs::absolute(split_recorded(recording).path);
  if (fs::exists(file) && fs::equivalent(target, file)) return;
  fs::remove(file);
  fs::create_symlink(target, file);
}

/// Returns false after Ctrl-C.
bool record(const ClaimProgram& program, const fs::path& recording, const PreparedRun& gpu, ProgressStyle progress,
            const Context& context) {
  if (fs::is_symlink(recording)) fs::remove(recording);  // the user's own recording is not written over
  ProgramFile file(program.files, program.compile);
  std::vector<std::string> command = {file.path()};
  command.insert(command.end(), program.arguments.begin(), program.arguments.end());
  return run_functionally({command, program.text(), recording.string(), "", program.folder}, gpu, progress, context) != kInterrupted;
}

}  // namespace

std::optional<RecordedPrograms> record_programs(const std::vector<ClaimProgram>& programs, const std::vector<Claim>& claims,
                                                const fs::path& folder, ProgressStyle progress, const Context& context) {
  const std::vector<PreparedRun> gpus = gpus_of(claims);
  const bool is_any_recorded =
      std::any_of(programs.begin(), programs.end(), [](const ClaimProgram& program) { return program.recording.empty(); });
  if (progress != ProgressStyle::none && is_any_recorded) report_grid_mismatch(gpus, context);
  fs::create_directories(folder);
  RecordedPrograms recorded;
  for (const ClaimProgram& program : programs) {
    const fs::path file = folder / (program.application + ".wcr");
    try {
      if (!program.recording.empty())
        link(program.recording, file);
      else if (!record(program, file, gpus.front(), progress, context))
        return std::nullopt;
      const std::string stimulus = cuda::kPrefix + file.string() + selection_of(program);
      check_stimulus(stimulus);
      recorded.stimuli[program.application] = stimulus;
    } catch (const InputError& error) {
      recorded.failures[program.application] = error.what();
    } catch (const SimulationError& error) {
      recorded.failures[program.application] = error.what();
    }
  }
  return recorded;
}

}  // namespace wharf::cli

#pragma once
// The specification of one run, with everything that its result may depend on.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/configuration.h"
#include "stimuli/stimulus.h"

namespace wharf::cli {

struct RunSpec {
  std::string config;                  // name or path of a configuration
  std::vector<std::string> overrides;  // "sm.warp_scheduler=gto"
  std::string stimulus;                // "gemm@std", "trace:DIR", "cuda:FILE"
  bool strict_opcodes = false;         // of a trace: opcodes that no table lists are refused
  bool skip_bad_kernels = false;       // of a trace: kernels that cannot be read are passed over
  bool loose_replay = false;           // of a recorded CUDA program: what the host reads may differ from the recording
  cuda::DeviceOptions device;          // of a CUDA program
  std::uint64_t seed = 1;
  bool verify = false;
  unsigned explain = 0;      // the cycle stack of every Nth SM; 0: of none
  std::uint64_t sample = 0;  // launches of each group that are measured (docs/howto-sample.md); 0: all
  std::uint64_t limit_warp_instructions = kNever;
  Cycle limit_cycles = kNever;
  std::string load;                // a checkpoint from which it goes on; empty: from the beginning
  std::uint64_t save_at = kNever;  // a checkpoint is saved when so many kernels have ended
  std::string save_file;
};

/// The configuration with the spec's overrides and the values for its workload.
Configuration configuration_of(const RunSpec& spec);

/// Throws InputError where the stimulus cannot be opened, or cannot be measured as the spec wants it.
void check_stimulus_of(const RunSpec& spec);

/// How the trace or recording is read.
StimulusOptions stimulus_options_of(const RunSpec& spec);

/// The `inputs` of result.json: names, hashes of contents, options and version. Two runs of one program with equal inputs have the same
/// result. Hooks that must not change a result (scramble, ticking) are not inputs.
Json inputs_json(const RunSpec& spec, const Configuration& configuration);

/// inputs_json() of a run that this process has made. `ran`: its stimulus. A trace is not read again for its hash, because it was fingerprinted
/// as it was read.
Json inputs_json_of(const RunSpec& spec, const Configuration& configuration, const Stimulus& ran);

/// Arguments that make the program run `spec` in its own process and write to `out`.
std::vector<std::string> run_arguments(const RunSpec& spec, const std::filesystem::path& out);

}  // namespace wharf::cli

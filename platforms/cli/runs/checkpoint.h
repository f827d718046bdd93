#pragma once
// A file with the state of a run at a kernel boundary (docs/howto-save.md): a line with the kind of file and its version, a line of JSON that
// says which run was saved, and the packed state (model/base/archive.h).

#include <filesystem>
#include <string>

#include "platforms/cli/runs/run_spec.h"
#include "platforms/simulation.h"

namespace wharf::cli {

/// The description of the saved run in a checkpoint.
struct CheckpointHead {
  std::filesystem::path file;
  Json inputs;                // of result.json, without configuration and limits
  std::string resolved_yaml;  // its configuration
};

/// Throws InputError where the file cannot be read, is no checkpoint, or one of another build of this program.
CheckpointHead read_checkpoint_head(const std::filesystem::path& file);

/// Throws InputError, naming every key, unless a run of `spec` can continue from the checkpoint: with the same stimulus, seed and checks,
/// and a configuration that differs only in policies that may change at a kernel boundary.
void require_continuation(const CheckpointHead& head, const RunSpec& spec, const Configuration& configuration);

/// The kernel boundaries at which the run stopped or will stop, each with the hash of the configuration until then.
Json boundaries_of(const RunSpec& spec, const Configuration& configuration);

/// Before the simulation runs. Throws InputError as above.
void load_checkpoint(const RunSpec& spec, const Configuration& configuration, Simulation& simulation);
/// At a boundary. `stimulus` is that of the run. Throws InputError where the file cannot be written.
void save_checkpoint(const RunSpec& spec, const Configuration& configuration, const Stimulus& stimulus, Simulation& simulation);

}  // namespace wharf::cli

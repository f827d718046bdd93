#pragma once
// Where commands come from: a running program (stimuli/cuda/process) or a recording (recorded_program.h).

#include <cstdint>
#include <string>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

struct LaunchResult {
  int error = 0;        // a cudaError; 0 for success
  std::string printed;  // by the kernel's printf, for the program's standard output
  std::uint64_t warp_instructions = 0;
};

class CommandSource {
 public:
  virtual ~CommandSource() = default;
  /// Serves commands until the next launch and returns it; nullptr at the end of the program. The pointer is valid until complete_launch().
  /// Throws InputError or SimulationError, also what the listener throws.
  virtual const LaunchRecord* next_launch() = 0;
  /// The launch is done, and the device memory holds its results. Call it once after each next_launch().
  virtual void complete_launch(const LaunchResult& result) = 0;
};

}  // namespace wharf::cuda

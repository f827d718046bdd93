#pragma once
// One launch of a kernel: what the front end asks of it, and its CTAs.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/ptx/execution/launch_state.h"
#include "stimuli/stimulus.h"

namespace wharf::ptx {

using Warnings = std::map<std::string, std::uint64_t>;  // texts with their counts

class KernelExecution {
 public:
  /// `number` counts launches from 0 and becomes %gridid. The references must outlive this object. Throws InputError where the launch is
  /// not possible: an unknown kernel, a wrong geometry, too few argument bytes, an instruction that is not supported.
  KernelExecution(const Program& program, DeviceMemory& memory, const Textures& textures, LaunchRequest request, std::uint64_t number,
                  Warnings& warnings, ExecutionOptions options = {});
  KernelExecution(const KernelExecution&) = delete;
  KernelExecution& operator=(const KernelExecution&) = delete;

  const KernelLaunch& launch() const { return launch_; }
  /// The warps of a CTA; they must not outlive this object. Warps throw SimulationError where a thread fails (CU-58).
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta);
  /// The ThreadFault that has ended the launch early; null where none has. Only under ExecutionOptions::returns_faults.
  std::exception_ptr fault() const { return state_.fault; }
  /// Finished CTAs over all.
  double progress() const;
  /// Of the warps that have ended.
  std::uint64_t warp_instructions() const { return state_.warp_instructions; }
  /// What the kernel has printed, sorted by CTA, thread and order (CU-45).
  std::string output() const;

 private:
  void check_geometry();
  void check_cluster();

  LaunchState state_;
  KernelLaunch launch_;
};

}  // namespace wharf::ptx

#pragma once
// Kernels in PTX as a stimulus: a program, its memory, and a list of launches.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/known_launches.h"
#include "stimuli/ptx/execution/kernel_execution.h"
#include "stimuli/ptx/memory/device_memory.h"
#include "stimuli/ptx/program/program.h"
#include "stimuli/stimulus.h"

namespace wharf::ptx {

class PtxStimulus : public Stimulus, public KnownLaunches {
 public:
  /// `memory` holds the arrays that the arguments point to and gets the program's variables; it must outlive this object. `print` takes
  /// what each kernel has printed when it ends; without one it is dropped. Throws InputError where the modules are no good.
  PtxStimulus(std::vector<SourceText> modules, DeviceMemory& memory, std::vector<LaunchRequest> launches, const Options& options = {},
              std::function<void(const std::string&)> print = {});

  void run_on(const RunningGpu& gpu) override { options_.gpu = &gpu; }
  bool runs_apart() const override { return options_.checks == nullptr; }
  const KernelLaunch* next_kernel() override;
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override { return kernel_->open_cta(cta); }
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override { return {warnings_.begin(), warnings_.end()}; }
  bool contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const override;
  bool store(Address address, const std::byte* from, std::size_t count) override;
  double progress() const override;
  bool archive(Archive& file) override;
  /// Throws InputError where a launch is not possible.
  std::vector<KernelLaunch> known_launches() const override;

  const Program& program() const { return program_; }
  /// Holds for the launches that follow.
  void use(ExecutionOptions options) { options_ = options; }
  /// Textures by handle: fill it before the kernel that reads them is launched.
  Textures& textures() { return textures_; }

 private:
  void end_kernel();

  DeviceMemory& memory_;
  Program program_;
  std::vector<LaunchRequest> launches_;
  std::function<void(const std::string&)> print_;
  Warnings warnings_;
  Textures textures_;
  ExecutionOptions options_;
  std::unique_ptr<KernelExecution> kernel_;  // the present one
  std::size_t next_ = 0;
};

}  // namespace wharf::ptx

#pragma once
// The device of a CUDA program: executes its modules and kernels by the PTX executor (stimuli/ptx) in the program's memory.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/cuda/device/device_options.h"
#include "stimuli/cuda/recording/command_listener.h"
#include "stimuli/cuda/recording/command_source.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/execution/kernel_execution.h"

namespace wharf::cuda {

/// Launches of one kernel that are alike.
struct LaunchedKernel {
  std::string name;  // as programmers write it, without parameters
  std::uint32_t module = 0;
  Dim3 grid, block;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // per CTA
  std::uint64_t launches = 0;
};

class PtxDevice final : public CommandListener {
 public:
  /// Seconds since the program's start, for events (CU-22).
  using Clock = std::function<double()>;

  /// `memory` must outlive the device. `replays`: the commands are recorded, of a program that may have run on another GPU.
  explicit PtxDevice(DeviceMemory& memory, bool replays = false);

  void on_module(const ModuleRecord& module, DeviceMemory& memory) override;
  bool describe_kernel(std::uint32_t module, const std::string& kernel, KernelDescription& description) override;
  bool place_variable(std::uint32_t module, const std::string& variable, VariablePlace& place) override;
  void on_allocate(const AllocateRecord& allocation) override;
  void on_release(const AllocateRecord& allocation) override;
  void on_write(std::uint64_t address, std::uint64_t bytes) override;
  void on_bind_texture(const BindTextureRecord& bind) override;
  void on_unbind_texture(const UnbindTextureRecord& unbind) override;
  void on_limit(const LimitRecord& limit) override;
  void on_refused_launch(const RefusedLaunchRecord& launch) override;
  void on_statistics(const StatisticsRecord& statistics) override;
  double simulated_seconds() override { return clock_ ? clock_() : 0; }

  /// Call it before the program's first command.
  void use(const DeviceOptions& options);
  void set_clock(Clock clock) { clock_ = std::move(clock); }
  /// The GPU whose clocks and SMs kernels read; without one the run has no time.
  void run_on(const RunningGpu& gpu) { gpu_ = &gpu; }
  /// Prepares a launch. The reference holds until end_launch(). Throws InputError where the launch is not possible.
  ptx::KernelExecution& begin_launch(const LaunchRecord& launch);
  /// What the kernel has printed, and the cudaError of a thread that failed.
  LaunchResult end_launch();

  ptx::DeviceMemory& memory() { return memory_; }
  const ptx::DeviceMemory& memory() const { return memory_; }
  ptx::Warnings& warnings() { return warnings_; }
  const ptx::Warnings& warnings() const { return warnings_; }
  /// `app.cu:17`, where the instruction at `pc` of a launched kernel is written; empty where there is no such instruction (CU-57).
  std::string place_of(const LaunchedKernel& kernel, std::uint32_t pc) const;
  /// In order of their first launch.
  const std::vector<LaunchedKernel>& launched() const { return launched_; }
  /// Launches that the API has refused.
  std::uint64_t refused_launches() const { return refused_launches_; }
  /// Null where none is made.
  const ptx::Checks* checks() const { return checks_.get(); }
  /// The messages of faults that were returned to the program.
  const std::vector<std::string>& faults() const { return faults_; }
  /// How often the program has called each function of the API; known at its end.
  const std::map<std::string, std::uint64_t>& calls() const { return calls_; }

 private:
  std::uint64_t handle_of(std::uint64_t object, std::uint32_t module, const std::string& reference) const;
  Address grid_workspace();
  void count_launch(const KernelLaunch& launch, std::uint32_t module);

  struct Group {
    std::vector<PtxText> texts;
    std::unique_ptr<ptx::Program> program;
  };

  ptx::DeviceMemory memory_;
  std::vector<Group> groups_;  // by the module's number
  ptx::Textures textures_;
  ptx::Warnings warnings_;
  std::vector<LaunchedKernel> launched_;
  std::map<std::string, std::uint64_t> calls_;
  Clock clock_;
  DeviceOptions options_;
  std::unique_ptr<ptx::Checks> checks_;
  std::vector<std::string> faults_;
  const RunningGpu* gpu_ = nullptr;
  std::unique_ptr<ptx::KernelExecution> kernel_;  // the present one
  std::uint64_t launches_ = 0, refused_launches_ = 0;
  const bool replays_;
  std::uint32_t stack_limit_ = 0;  // bytes per thread; 0: the program has set none
  Address grid_workspace_ = 0;     // 0: no launch has been cooperative
};

/// Parses and links the texts of a module and places its variables in `memory`. Throws InputError.
std::unique_ptr<ptx::Program> link_modules(const std::vector<PtxText>& texts, ptx::DeviceMemory& memory, const ptx::Options& options = {});

}  // namespace wharf::cuda

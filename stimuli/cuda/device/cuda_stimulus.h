#pragma once
// A CUDA program as a stimulus: its kernels, executed by stimuli/ptx, with the host's commands applied between them (CU-15, 16).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stimuli/cuda/device/ptx_device.h"
#include "stimuli/cuda/recording/recorded_program.h"
#include "stimuli/kernel_choice.h"
#include "stimuli/stimulus.h"

namespace wharf::cuda {

class CudaStimulus : public Stimulus {
 public:
  void run_on(const RunningGpu& gpu) override { device_.run_on(gpu); }
  const KernelLaunch* next_kernel() override;
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override { return kernel_->open_cta(cta); }
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override;
  bool contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const override;
  bool store(Address address, const std::byte* from, std::size_t count) override;

  /// Simulates the kernels that `choice` takes, with `warm` behind those that stand before them all. The others are executed without time:
  /// they change the memory, and caches keep what they hold. Call it before the first next_kernel().
  void choose(KernelChoice choice, bool warm) {
    choice_ = std::move(choice);
    warm_ = warm;
  }
  /// The program was stopped before its end.
  virtual bool stopped() const { return false; }
  /// Kernels that were simulated before the first that is measured.
  std::size_t warm_up() const { return warm_up_; }
  /// Kernels that were executed without time, because the choice does not take them.
  std::uint64_t untimed() const { return untimed_; }

  PtxDevice& device() { return device_; }
  const PtxDevice& device() const { return device_; }

 protected:
  /// `memory_bytes`: what the program may allocate. `descriptor`: as DeviceMemory's. `replays`: as PtxDevice's.
  CudaStimulus(std::uint64_t memory_bytes, int descriptor, bool replays = false)
      : memory_(descriptor, memory_bytes), device_(memory_, replays) {}
  virtual CommandSource& source() = 0;
  /// The program has no more kernels.
  virtual void end() {}
  /// True where a kernel without time is to be left, too.
  virtual bool must_stop() const { return false; }
  /// Finished CTAs of the present kernel over all; 1 between kernels.
  double progress_of_kernel() const { return kernel_ == nullptr ? 1.0 : kernel_->progress(); }
  /// From now on launches are listed, and none that the choice leaves out is executed.
  void list_launches() { lists_ = true; }
  /// Saves or loads the launches so far and the memory behind them. To load, the source supplies the launches again, but none is executed.
  void archive_launches(Archive& file);

  DeviceMemory memory_;
  PtxDevice device_;

 private:
  bool is_timed(const LaunchRecord& launch);
  void repeat_launch(std::uint64_t hash);

  ptx::KernelExecution* kernel_ = nullptr;
  KernelLaunch launch_;
  std::vector<std::uint64_t> launches_;  // a hash of each
  std::optional<KernelChoice> choice_;   // none: all kernels
  bool warm_ = false, ended_ = false, lists_ = false;
  std::size_t warm_up_ = 0;
  std::uint64_t taken_ = 0, untimed_ = 0;
};

/// A recording, replayed without the program.
class RecordedStimulus final : public CudaStimulus {
 public:
  /// Throws InputError where the file cannot be read.
  RecordedStimulus(const std::string& path, RecordedProgram::Mismatch on_mismatch);
  const KernelLaunch* next_kernel() override;
  bool runs_apart() const override { return device_.checks() == nullptr; }
  double progress() const override;
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override;
  /// From now on next_kernel() lists launches, of which none is to be executed.
  void list_launches();
  /// Warp instructions of the present kernel when the program was recorded; 0 if the recording does not have them.
  std::uint64_t launch_size() const { return program_.launch_size(); }
  /// The host's commands are applied again; the kernels before are not executed, because their memory is in the file.
  bool archive(Archive& file) override;

 protected:
  CommandSource& source() override { return program_; }

 private:
  double fraction_read() const;

  RecordedProgram program_;
  double finished_ = 0;  // fraction of the file that was read when the present kernel was asked for
};

/// Throws InputError where `choice` takes no kernel of the recording, or the file is damaged.
void require_kernels(const std::string& path, KernelChoice choice);

}  // namespace wharf::cuda

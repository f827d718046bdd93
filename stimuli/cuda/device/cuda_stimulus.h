#pragma once
// A CUDA program as a stimulus: its kernels, executed by stimuli/ptx, with the host's commands applied between them (CU-15, 16).

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/cuda/device/ptx_device.h"
#include "stimuli/cuda/recording/recorded_program.h"
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

  PtxDevice& device() { return device_; }
  const PtxDevice& device() const { return device_; }

 protected:
  /// `memory_bytes`: what the program may allocate. `descriptor`: of memory that another process has created; -1 for none.
  explicit CudaStimulus(std::uint64_t memory_bytes, int descriptor = -1) : memory_(memory_bytes, descriptor), device_(memory_) {}
  virtual CommandSource& source() = 0;
  /// The program has no more kernels.
  virtual void end() {}
  /// Finished CTAs of the present kernel over all; 1 between kernels.
  double progress_of_kernel() const { return kernel_ == nullptr ? 1.0 : kernel_->progress(); }

  DeviceMemory memory_;
  PtxDevice device_;

 private:
  ptx::KernelExecution* kernel_ = nullptr;
  KernelLaunch launch_;
  bool ended_ = false;
};

/// A recording, replayed without the program.
class RecordedStimulus final : public CudaStimulus {
 public:
  /// Throws InputError where the file cannot be read.
  RecordedStimulus(const std::string& path, RecordedProgram::Mismatch on_mismatch);
  const KernelLaunch* next_kernel() override;
  double progress() const override;
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override;

 protected:
  CommandSource& source() override { return program_; }

 private:
  double fraction_read() const;

  RecordedProgram program_;
  double finished_ = 0;  // fraction of the file that was read when the present kernel was asked for
};

}  // namespace wharf::cuda

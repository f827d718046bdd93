#pragma once
// A CUDA program that runs as a child process, as a stimulus.

#include <functional>
#include <memory>
#include <string>

#include "stimuli/cuda/device/cuda_stimulus.h"
#include "stimuli/cuda/process/cuda_program.h"

namespace wharf::cuda {

class ProgramStimulus final : public CudaStimulus {
 public:
  /// Starts the program. `device` describes the GPU to the program; `recording` may be null. Throws InputError where it cannot be started.
  ProgramStimulus(const ProgramStart& start, const DeviceDescription& device, std::unique_ptr<RecordingWriter> recording)
      : CudaStimulus(device.memory_bytes, DeviceMemory::create_shared()),
        name_(start.command.at(0)),
        file_(start.command.at(0)),
        recording_(recording == nullptr ? "" : recording->path()),
        program_(start, device, memory_, device_, std::move(recording)) {}
  /// Serves a program that runs already and has started us: `socket` and `memory` are the descriptors that it has passed on.
  ProgramStimulus(int socket, int memory, const DeviceDescription& device, std::unique_ptr<RecordingWriter> recording)
      : CudaStimulus(device.memory_bytes, memory),
        name_("the program"),
        recording_(recording == nullptr ? "" : recording->path()),
        program_(socket, device, memory_, device_, std::move(recording)) {}

  /// Where `stop` becomes true while the program does not call, it is ended, and launches no more kernels.
  void stop_when(std::function<bool()> stop) {
    asks_ = stop;
    program_.stop_when(std::move(stop));
  }
  bool stopped() const override { return stopped_; }

  /// The program's exit code, 128 + signal if a signal ended it; 0 while it runs.
  int exit_code() const { return exit_code_; }
  /// The program's file; empty for one that has started us.
  const std::string& file() const { return file_; }
  /// The recording, once it is complete; empty for none.
  std::string recording() const { return has_ended_ ? recording_ : std::string(); }
  /// How the program has ended, where that was not with exit code 0 and it was not stopped: a part of a sentence. Empty otherwise.
  std::string failure() const;

 protected:
  CommandSource& source() override { return program_; }
  /// Waits for the program. Throws InputError where its runtime library has ended it, which says why itself.
  void end() override;
  bool must_stop() const override { return asks_ && asks_(); }

 private:
  std::string name_, file_, recording_;
  CudaProgram program_;
  int exit_code_ = 0;
  bool has_ended_ = false, stopped_ = false;
  std::function<bool()> asks_;
};

}  // namespace wharf::cuda

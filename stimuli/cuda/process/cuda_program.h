#pragma once
// A CUDA program that runs: a child process whose runtime library sends us its commands (CU-13).

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/cuda/process/host_visible_memory.h"
#include "stimuli/cuda/process/start_program.h"
#include "stimuli/cuda/recording/command_interpreter.h"
#include "stimuli/cuda/recording/command_source.h"
#include "stimuli/cuda/recording/recording_writer.h"

namespace wharf::cuda {

class CudaProgram final : public CommandSource {
 public:
  /// Starts the program; it waits at its first call of the API until next_launch(). `recording` may be null. Both references must outlive
  /// the object. Throws InputError where the program cannot be started.
  CudaProgram(const ProgramStart& start, const DeviceDescription& device, DeviceMemory& memory, CommandListener& listener,
              std::unique_ptr<RecordingWriter> recording);
  /// Serves a program that runs already and has started us (LD_PRELOAD, CU-13): `socket` is our end, and `memory` maps its memory.
  CudaProgram(int socket, const DeviceDescription& device, DeviceMemory& memory, CommandListener& listener,
              std::unique_ptr<RecordingWriter> recording);
  /// Ends a program that still runs.
  ~CudaProgram() override;

  /// Where `stop` becomes true while the program does not call, next_launch() returns nullptr, and wait() ends the program.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }
  /// It was so, and the program had not ended.
  bool stopped() const { return stop_ && !ended_ && stop_(); }

  const LaunchRecord* next_launch() override;
  void complete_launch(const LaunchResult& result) override;

  /// After next_launch() has returned nullptr: waits for the program and returns its exit code, 128 + signal where a signal ended it. 0 for
  /// a program that started us.
  int wait();
  /// True where the program sent the end of its stream: it did not crash, and did not end by _exit.
  bool ended() const { return ended_; }

 private:
  int end_process();
  bool calls();
  bool serve_one();
  Reply answer(RecordKind kind, const std::string& body);
  Reply answer_query(RecordKind kind, const std::string& body);
  void apply_to_memory(RecordKind kind, const std::string& body);
  void make_host_visible(const AllocateRecord& allocation);
  template <class Record>
  void apply(RecordKind kind, const std::string& body);
  void apply_host_stores();
  void load_module(const std::string& body);
  void begin_launch(const std::string& body);
  template <class Record>
  void record(RecordKind kind, const Record& record);
  void record_write(std::uint64_t address, std::uint64_t bytes);
  void reply(const Reply& reply);

  CommandInterpreter interpreter_;
  HostVisibleMemory host_visible_;
  DeviceDescription device_;
  std::unique_ptr<RecordingWriter> recording_;
  std::string name_;
  int socket_ = -1;
  pid_t process_ = -1;
  LaunchRecord launch_;
  bool launching_ = false, ended_ = false;
  bool is_gone_ = false;  // it takes no answer
  std::function<bool()> stop_;
};

}  // namespace wharf::cuda

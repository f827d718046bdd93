#pragma once
// A recorded CUDA program: replays its commands without the program (CU-15).

#include <string>

#include "stimuli/cuda/recording/command_interpreter.h"
#include "stimuli/cuda/recording/command_source.h"
#include "stimuli/cuda/recording/recording_reader.h"

namespace wharf::cuda {

class RecordedProgram final : public CommandSource {
 public:
  /// Reaction when the host reads other data than were recorded. A machine cannot change the results of a program without races, but it can
  /// if the program has races or float atomics.
  enum class Mismatch { stop, count };

  /// Both references must outlive the object. Throws InputError.
  RecordedProgram(const std::string& path, DeviceMemory& memory, CommandListener& listener, Mismatch on_mismatch);

  const LaunchRecord* next_launch() override;
  /// A launch that ends otherwise than on record ends the replay with SimulationError, because what the program would do next is not known.
  void complete_launch(const LaunchResult& result) override;

  /// Whether what the host reads, and the errors of launches, are compared with the recording. `mismatches`: the number so far.
  void compare_reads(bool compare, std::uint64_t mismatches = 0) {
    compares_ = compare;
    mismatches_ = mismatches;
  }

  /// Warp instructions of the latest launch when the program was recorded; 0 if the recording does not have them.
  std::uint64_t launch_size() const { return launch_.warp_instructions; }
  const RecordingReader& file() const { return file_; }
  /// Reads that gave something else, under Mismatch::count.
  std::uint64_t mismatches() const { return mismatches_; }

 private:
  void replay(RecordKind kind, const std::string& body);
  void replay_read(const ReadRecord& read);

  RecordingReader file_;
  CommandInterpreter interpreter_;
  Mismatch on_mismatch_;
  bool compares_ = true;
  LaunchRecord launch_;
  std::uint64_t launches_ = 0, mismatches_ = 0;
};

}  // namespace wharf::cuda

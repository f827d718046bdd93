#pragma once
// The runtime library's end of the socket to Wharf (CU-13): sends a record, waits for its reply.

#include <cstdint>
#include <string>

#include "stimuli/cuda/recording/queries.h"
#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda::runtime {

/// Ends the program with exit code 2 after a message on standard error, without running exit handlers, which might call the library again.
[[noreturn]] void end_program(const std::string& message);

class Channel {
 public:
  /// Connects to the Wharf that started this program, or, in a program that was started by hand with WHARF_CUDA set, starts one. Maps the
  /// device memory. Ends the program where neither is possible.
  Channel();
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const DeviceDescription& device() const { return device_; }
  /// The second mapping of the device memory, by which the library copies (CU-14).
  char* at(std::uint64_t address) const { return window_ + (address - kMemoryBase); }
  /// Lets the program's own loads and stores reach [address, address + bytes), or stops them.
  void allow_host_access(std::uint64_t address, std::uint64_t bytes, bool allowed);

  /// Sends a record and waits. Prints what the kernel has printed; ends the program where Wharf asks for it. Returns the cudaError.
  template <class Record>
  int send(RecordKind kind, const Record& record) {
    return exchange(kind, packed(record)).error;
  }
  /// Returns false, with the error in `error`, where Wharf does not know.
  template <class Answer, class Record>
  bool ask(RecordKind kind, const Record& record, Answer& answer, int& error) {
    const Reply reply = exchange(kind, packed(record));
    error = reply.error;
    if (reply.error != 0) return false;
    answer = unpacked<Answer>(reply.answer);
    return true;
  }
  /// Sends what needs no answer at the end of the program, and waits for a Wharf that this program has started.
  void close();

 private:
  void inherit(const char* descriptors);
  void start_wharf();
  void map_memory();
  Reply exchange(RecordKind kind, const std::string& body);

  int socket_ = -1, memory_ = -1;
  int wharf_ = -1;  // process that this program has started, or -1
  char* window_ = nullptr;
  DeviceDescription device_;
};

}  // namespace wharf::cuda::runtime

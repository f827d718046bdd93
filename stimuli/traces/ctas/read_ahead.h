#pragma once
// Reads the kernels of a trace in a thread of its own, ahead of the simulation: decompressing and parsing do not hold it up. What is read
// depends on the files alone, and errors come where the reader of the steps meets them, so a run does not depend on how far ahead it is.

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "stimuli/traces/ctas/kernel_source.h"

namespace wharf::traces {

class ReadAhead {
 public:
  /// A piece of kernel number `kernel`: its launch, then its CTAs, then its end; or the error that ends it early; or, as its only step, the
  /// error for which it is skipped.
  struct Step {
    enum class Kind { launch, cta, end, error, skipped } kind = Kind::end;
    std::size_t kernel = 0;
    KernelLaunch launch;
    CtaStep read;              // kinds cta and end
    std::string fingerprint;   // kind end: of the kernel file
    std::exception_ptr error;  // kinds error and skipped
  };

  /// Begins to read `paths` in their order, and stops while `most_bytes` and more wait to be taken. With `skip_bad`, reads each kernel twice,
  /// and skips one with a mistake anywhere.
  ReadAhead(std::vector<std::string> paths, std::uint64_t most_bytes, const KernelRules& rules, bool skip_bad);
  /// Ends the thread, wherever it is.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next step of a kernel; kernels before it are not read on. Throws the error where it is one; no step of that kernel may be asked for
  /// after its end or its error.
  Step next(std::size_t kernel);

 private:
  void read_all();
  void read_kernel(std::size_t kernel);
  /// Returns false where it is skipped.
  bool is_whole(std::size_t kernel);
  /// Returns false where the kernel is not wanted any more.
  bool put(Step step);

  const std::vector<std::string> paths_;
  const std::uint64_t most_bytes_;
  const KernelRules rules_;
  const bool skip_bad_;
  std::mutex mutex_;
  std::condition_variable filled_, emptied_;
  // Guarded by mutex_:
  std::deque<Step> steps_;
  std::uint64_t bytes_ = 0;       // of the steps that wait
  std::size_t first_needed_ = 0;  // kernels below it are not wanted any more; paths_.size(): none
  std::thread thread_;
};

}  // namespace wharf::traces

#pragma once
// Which kernels of a list have started, where those of different streams may run together.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "stimuli/stimulus.h"

namespace wharf {

class LaunchOrder {
 public:
  /// Starts the kernel that may start (Stimulus::next_concurrent), where `stream_of(k)` is the stream of kernel k. Returns its number
  /// in the list; `kernels`, the list's length, where none may.
  template <class StreamOf>
  std::size_t start(std::size_t kernels, const RunningStreams& running, StreamOf stream_of) {
    RunningStreams blocked = running;  // a kernel that waits blocks the later ones of its stream
    std::size_t seen = 0;
    for (std::size_t kernel = first_; kernel < kernels && seen < running.ahead; ++kernel) {
      if (std::find(later_.begin(), later_.end(), kernel) != later_.end()) continue;
      ++seen;
      const std::uint64_t stream = stream_of(kernel);
      if (!blocked.has(stream)) {
        mark(kernel);
        return kernel;
      }
      blocked.busy.push_back(stream);
    }
    return kernels;
  }
  /// Starts the first kernel that has not started.
  std::size_t start_first() {
    const std::size_t kernel = first_;
    mark(kernel);
    return kernel;
  }
  /// Kernels that have started.
  std::size_t started() const { return first_ + later_.size(); }
  template <class File>
  void archive(File& file) {
    file(first_, later_);
  }

 private:
  void mark(std::size_t kernel) {
    later_.push_back(kernel);
    for (auto next = later_.begin(); (next = std::find(later_.begin(), later_.end(), first_)) != later_.end(); ++first_) later_.erase(next);
  }

  std::size_t first_ = 0;           // all kernels below it have started
  std::vector<std::size_t> later_;  // that have started too
};

}  // namespace wharf

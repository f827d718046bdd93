#pragma once
// Changes of kernels to the arrays of a workload, kernel by kernel. The host side of a workload may read results between kernels and decide
// by them; given the same bytes again, it reaches the same state (checkpoints).

#include <cstdint>
#include <string>
#include <vector>

#include "stimuli/spmd/memory.h"
#include "stimuli/stimulus.h"

namespace wharf::spmd {

class ImageHistory {
 public:
  /// Bytes from `offset` on of array number `region`.
  struct Change {
    std::uint32_t region = 0;
    std::uint64_t offset = 0;
    std::string bytes;
    template <class File>
    void archive(File& file) {
      file(region, offset, bytes);
    }
  };
  using Changes = std::vector<Change>;
  /// The start of a kernel.
  struct Step {
    RunningStreams running;  // that it started beside; of none where every previous kernel had drained
    Changes changes;         // of kernels, since the step before
    template <class File>
    void archive(File& file) {
      file(running.busy, running.ahead, changes);
    }
  };

  /// Begins with the present contents. `memory` must outlive it.
  explicit ImageHistory(Memory& memory) : memory_(memory) { take_snapshot(); }

  /// A kernel starts: adds what has changed since the last take_snapshot().
  void record(const RunningStreams& running) { steps_.push_back({running, changes()}); }
  /// The present contents are known: what the host has changed is not to be recorded.
  void take_snapshot();
  /// What has changed since then, in whole pages.
  Changes changes() const;
  std::vector<Step>& steps() { return steps_; }

  /// Throws InputError where the memory has no such array.
  static void apply(const Changes& changes, Memory& memory);

 private:
  Memory& memory_;
  std::vector<std::string> known_;  // [region]
  std::vector<Step> steps_;
};

}  // namespace wharf::spmd

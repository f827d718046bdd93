#pragma once
// The lines that each L1-class cache has written in a kernel. Where caches keep clean lines across kernels, the copies of these lines in
// other caches become stale (l1.kernel_boundary). Stores that reach L2 without passing these caches are not recorded.

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "model/base/host/islands.h"
#include "model/base/types.h"

namespace wharf {

class StoredLines {
 public:
  static constexpr unsigned kNobody = ~0u;  // matches no cache, so no copy is spared

  /// Records that cache `writer` has passed on a store or an atomic to the line in the running kernel.
  void wrote(unsigned writer, LineAddress line) {
    const Islands::Lock lock(mutex_);
    const auto [entry, fresh] = running_.emplace(line.number, writer);
    if (!fresh && entry->second != writer) entry->second = kNobody;
  }
  /// A kernel starts. With `concurrent`, other kernels are running; else all others have ended. What running kernels have written may be
  /// on its way into other caches, so it counts at every start until all of them have ended.
  void kernel_starts(bool concurrent) {
    if (concurrent) {
      ended_ = running_;
      return;
    }
    ended_ = std::move(running_);
    running_.clear();
  }
  /// True if a cache other than `self` wrote the line in the previous kernel, or in the kernels that ran concurrently.
  bool by_others(unsigned self, LineAddress line) const {
    const auto entry = ended_.find(line.number);
    return entry != ended_.end() && entry->second != self;
  }
  template <class File>
  void archive(File& file) {
    file(running_, ended_);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, unsigned> running_, ended_;  // line -> its writer
};

}  // namespace wharf

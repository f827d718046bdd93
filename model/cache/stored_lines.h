#pragma once
// Which lines the caches of the L1 class have written to in a kernel: where caches keep what is clean across kernels, the copies of others
// are old then (l1.kernel_boundary). Stores that reach L2 on other ways than through these caches are not seen.

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "model/base/types.h"

namespace wharf {

class StoredLines {
 public:
  static constexpr unsigned kNobody = ~0u;  // no cache's number: a writer that spares no copy

  /// Cache `writer` has let a store or an atomic to the line through, in the running kernel.
  void wrote(unsigned writer, LineAddress line) {
    const auto [entry, fresh] = running_.emplace(line.number, writer);
    if (!fresh && entry->second != writer) entry->second = kNobody;
  }
  /// The running kernel has ended, another starts.
  void kernel_starts() {
    ended_ = std::move(running_);
    running_.clear();
  }
  /// A cache other than `self` has written to the line in the kernel that has ended.
  bool by_others(unsigned self, LineAddress line) const {
    const auto entry = ended_.find(line.number);
    return entry != ended_.end() && entry->second != self;
  }

 private:
  std::unordered_map<std::uint64_t, unsigned> running_, ended_;  // line -> its writer
};

}  // namespace wharf

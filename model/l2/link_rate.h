#pragma once
// The bandwidth of one direction of a link between L2 slices. A message delays those behind it by its bytes, without rounding to cycles. At
// most one message starts per cycle.

#include <algorithm>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

class LinkRate {
 public:
  /// `bytes_per_clock` is at least 1.
  explicit LinkRate(std::uint32_t bytes_per_clock) : rate_(bytes_per_clock) {}

  /// The first cycle in which the next message may start.
  Cycle free() const { return free_; }
  /// Starts a message of `bytes` >= 1 bytes in cycle `now`, which must not be before free(). Returns the number of cycles that it uses and
  /// no earlier message has used.
  Cycle start(Cycle now, unsigned bytes) {
    const std::uint64_t begin = std::max(end_, now * rate_);
    end_ = begin + bytes;
    const Cycle first = std::max(begin / rate_, unused_from_);
    unused_from_ = (end_ - 1) / rate_ + 1;
    free_ = std::max(now + 1, end_ / rate_);
    return unused_from_ - first;
  }
  template <class File>
  void archive(File& file) {
    file(end_, unused_from_, free_);
  }

 private:
  std::uint64_t rate_;
  std::uint64_t end_ = 0;  // when the last byte has entered, in bytes at the full rate since cycle 0
  Cycle unused_from_ = 0, free_ = 0;
};

}  // namespace wharf

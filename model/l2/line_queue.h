#pragma once
// The local line numbers of a slice's requests, in order of arrival. They are stored apart from the payloads, so that the slice can
// prefetch the tags of the next request into the host's cache while its payload is still on the way there.

#include <cstdint>
#include <vector>

namespace wharf {

class LineQueue {
 public:
  /// Has room for `capacity` lines or more.
  explicit LineQueue(std::uint32_t capacity) {
    while (mask_ < capacity) mask_ = 2 * mask_ + 1;
    lines_.resize(mask_ + 1);
  }

  void push(std::uint64_t line) { lines_[end_++ & mask_] = line; }
  /// The oldest line; an arbitrary line when the queue is empty.
  std::uint64_t front() const { return lines_[begin_ & mask_]; }
  void pop() { ++begin_; }

 private:
  std::vector<std::uint64_t> lines_;  // a ring whose size is a power of two
  std::uint32_t mask_ = 1, begin_ = 0, end_ = 0;
};

}  // namespace wharf

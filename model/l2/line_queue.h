#pragma once
// The lines of a slice's requests, by their numbers inside the slice, in order of arrival. They lie beside each other and not in the payloads, so that
// the tags of the next one can be fetched into the host's cache while its payload is not there yet.

#include <cstdint>
#include <vector>

namespace wharf {

class LineQueue {
 public:
  /// Of at least `capacity` lines.
  explicit LineQueue(std::uint32_t capacity) {
    while (mask_ < capacity) mask_ = 2 * mask_ + 1;
    lines_.resize(mask_ + 1);
  }

  void push(std::uint64_t line) { lines_[end_++ & mask_] = line; }
  /// The oldest; some line where there is none.
  std::uint64_t front() const { return lines_[begin_ & mask_]; }
  void pop() { ++begin_; }

 private:
  std::vector<std::uint64_t> lines_;  // a ring of as many places as a power of two has
  std::uint32_t mask_ = 1, begin_ = 0, end_ = 0;
};

}  // namespace wharf

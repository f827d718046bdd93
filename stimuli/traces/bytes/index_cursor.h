#pragma once
// Reads the index of a container from its beginning to its end.

#include <algorithm>
#include <array>
#include <cstdint>

#include "stimuli/traces/bytes/byte_source.h"
#include "stimuli/traces/bytes/random_bytes.h"

namespace wharf::traces {

/// `bytes` unsigned bytes, the lowest first.
inline std::uint64_t little_endian(const char* at, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(at[i])} << 8 * i;
  return value;
}

class IndexCursor {
 public:
  /// The index lies from `begin` to `end`, inside `bytes`, which must outlive the cursor.
  IndexCursor(RandomBytes& bytes, std::uint64_t begin, std::uint64_t end) : bytes_(bytes), next_(begin), end_(end) {}

  std::uint32_t u32() { return static_cast<std::uint32_t>(read(4)); }
  std::uint64_t u64() { return read(8); }
  std::uint64_t remaining() const { return filled_ - at_ + (end_ - next_); }

 private:
  std::uint64_t read(unsigned count) {
    if (remaining() < count) throw DecodeFailure("the container's index ends too early");
    if (filled_ - at_ < count) refill();
    const std::uint64_t value = little_endian(buffer_.data() + at_, count);
    at_ += count;
    return value;
  }
  void refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= at_;
    at_ = 0;
    const std::size_t more = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - filled_, end_ - next_));
    bytes_.read(next_, buffer_.data() + filled_, more);
    next_ += more;
    filled_ += more;
  }
  RandomBytes& bytes_;
  std::uint64_t next_, end_;
  std::array<char, 4096> buffer_;
  std::size_t at_ = 0, filled_ = 0;
};

}  // namespace wharf::traces

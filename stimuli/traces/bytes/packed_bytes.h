#pragma once
// Numbers in as few bytes as they need: seven bits a byte, the low ones first; the highest bit says that more follow.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace wharf::traces {

inline void append_number(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

/// Reads what was put. Throws InputError where the bytes end too early.
class PackedBytes {
 public:
  PackedBytes(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}

  bool at_end() const { return at_ == end_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at_ == end_ || shift > 63) damaged();
      const std::uint8_t byte = *at_++;
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }
  /// The next `size` bytes, which are passed over.
  const std::uint8_t* read(std::size_t size) {
    if (size > remaining()) damaged();
    const std::uint8_t* begin = at_;
    at_ += size;
    return begin;
  }
  template <class Value>
  void copy_to(Value& value) {
    std::memcpy(&value, read(sizeof value), sizeof value);
  }
  [[noreturn]] static void damaged();

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace wharf::traces

#pragma once
// The bytes of a file at any offset.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace wharf::traces {

class RandomBytes {
 public:
  /// Throws DecodeFailure where the file cannot be opened.
  explicit RandomBytes(const std::string& path);
  /// `bytes` must outlive this.
  explicit RandomBytes(std::string_view bytes) : memory_(bytes), size_(bytes.size()) {}

  std::uint64_t size() const { return size_; }
  /// Reads the `count` bytes from `offset` on, which must lie below size(). Throws DecodeFailure where the file cannot be read.
  void read(std::uint64_t offset, char* out, std::size_t count);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string_view memory_;
  std::uint64_t size_ = 0;
};

}  // namespace wharf::traces

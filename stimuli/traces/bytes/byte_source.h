#pragma once
// The bytes of a trace file, decompressed while reading. The first bytes, not the file's name, determine the format.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace wharf::traces {

/// An unreadable stream: truncated, corrupt, or with an I/O error. The line reader turns it into a TraceError.
class DecodeFailure : public std::runtime_error {
 public:
  explicit DecodeFailure(const std::string& text, std::string remedy = "copy or record the file again")
      : runtime_error(text), remedy_(std::move(remedy)) {}
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `capacity` decompressed bytes; returns 0 at the end. Throws DecodeFailure, but only after it has delivered every byte that
  /// can be decompressed before the defect.
  virtual std::size_t read(char* out, std::size_t capacity) = 0;
  /// Bytes of the (compressed) file consumed so far, and in total.
  virtual std::uint64_t consumed() const = 0;
  virtual std::uint64_t size() const = 0;
  /// The FileHash of all bytes of the (compressed) file. Reads on to its end where they have not been consumed yet, so no read() may follow.
  virtual std::string fingerprint() = 0;
};

/// Opens a plain, gzip, xz or zstd file, as its magic bytes say, or a container (container_text.h), which reads as text. Throws DecodeFailure
/// where the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);
/// The same for bytes in memory, which must outlive the source.
std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes);

}  // namespace wharf::traces

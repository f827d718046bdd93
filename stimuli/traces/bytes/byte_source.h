#pragma once
// Bytes of a trace file, decompressed as they are read. The format is told by the first bytes, not by the file's name.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wharf::traces {

/// A stream that cannot be read on: truncated, corrupt, or an I/O error. The line reader turns it into a TraceError.
class DecodeFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `capacity` decompressed bytes; 0 at the end. Throws DecodeFailure, but only after every byte that could be
  /// decompressed before the defect has been delivered.
  virtual std::size_t read(char* out, std::size_t capacity) = 0;
  /// Bytes of the (compressed) file taken so far, and in all.
  virtual std::uint64_t consumed() const = 0;
  virtual std::uint64_t size() const = 0;
};

/// Plain, gzip, xz or zstd by magic bytes. Throws DecodeFailure where the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);
/// The same over bytes in memory, which must outlive the source.
std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes);

}  // namespace wharf::traces

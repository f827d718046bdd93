#pragma once
// A file written through a compressor.

#include <memory>
#include <string>
#include <string_view>

namespace wharf::traces {

enum class Compression { none, xz, zstd };

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Ends the stream and closes the file; without this call the file is truncated. Must be the last call, and made once.
  virtual void close() = 0;
};

/// The file-name ending of a compression: "", ".xz" or ".zst".
std::string_view ending_of(Compression compression);

/// Creates or replaces the file. All calls throw InputError for a file-system error.
std::unique_ptr<ByteSink> create_file(const std::string& path, Compression compression);

}  // namespace wharf::traces

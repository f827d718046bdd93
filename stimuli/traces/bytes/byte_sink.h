#pragma once
// A file that is written through a compressor.

#include <memory>
#include <string>
#include <string_view>

namespace wharf::traces {

enum class Compression { none, xz, zstd };

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Ends the stream and closes the file; a sink that was not closed leaves a truncated file. Once, as the last call.
  virtual void close() = 0;
};

/// The ending of a compressed file's name: "", ".xz" or ".zst".
std::string_view ending_of(Compression compression);

/// Creates or replaces the file. All calls throw InputError where the file system refuses.
std::unique_ptr<ByteSink> create_file(const std::string& path, Compression compression);

}  // namespace wharf::traces

#pragma once
// The lines of a trace file, as views into one buffer. The hot loop of trace reading starts here.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stimuli/traces/bytes/byte_source.h"

namespace wharf::traces {

class LineSource {
 public:
  /// Lines longer than this are refused.
  static constexpr std::size_t kLongestLine = 1 << 20;
  /// So many bytes of lines that say nothing may follow each other: a small compressed file can hold blank lines for hours of reading.
  static constexpr std::uint64_t kMostSkippedBytes = 16 << 20;

  /// Throws TraceError where the file cannot be opened. `piece`: bytes that are decompressed at a time; few for who reads the first lines
  /// alone.
  static std::unique_ptr<LineSource> open(const std::string& path, std::size_t piece = kPiece);
  static constexpr std::size_t kPiece = 256 * 1024, kSmallPiece = 4 * 1024;
  /// Reads lines from `bytes` (plain or compressed; must outlive the source), called `name` in messages.
  static std::unique_ptr<LineSource> from_memory(const std::string& name, std::string_view bytes);

  /// Reads the next line without its end (LF or CR LF); returns false at the end of the file. `line` is valid until the next call. A UTF-8
  /// byte order mark is passed over. Throws TraceError (truncated or corrupt stream, UTF-16 text, line too long).
  bool next(std::string_view& line) {
    const char* newline = static_cast<const char*>(std::memchr(buffer_.data() + position_, '\n', end_ - position_));
    if (newline == nullptr) return next_slow(line);
    deliver(line, static_cast<std::size_t>(newline - buffer_.data()), 1);
    return true;
  }
  /// Makes the next next() return the latest line again. Call it once, and only after a next() that returned true.
  void unread() {
    position_ = line_begin_;
    --line_number_;
  }

  /// The latest line says nothing: it is blank, a comment or a line that is not used. Throws TraceError where too many follow each other.
  void skip_line();

  const std::string& name() const { return name_; }
  /// Number of the latest line, from 1.
  std::uint64_t line_number() const { return line_number_; }
  /// False where the latest line was the file's last and had no line end, the mark of a truncated file.
  bool terminated() const { return terminated_; }
  std::uint64_t bytes_consumed() const { return bytes_->consumed(); }
  std::uint64_t total_bytes() const { return bytes_->size(); }
  /// See ByteSource::fingerprint().
  std::string fingerprint() { return bytes_->fingerprint(); }

 private:
  LineSource(std::string name, std::unique_ptr<ByteSource> bytes, std::size_t piece);
  bool next_slow(std::string_view& line);
  bool refill();
  void skip_byte_order_mark();
  void deliver(std::string_view& line, std::size_t line_end, std::size_t terminator) {
    line_begin_ = position_;
    ++line_number_;
    position_ = line_end + terminator;
    if (line_end > line_begin_ && buffer_[line_end - 1] == '\r') --line_end;
    line = std::string_view(buffer_.data() + line_begin_, line_end - line_begin_);
  }

  std::string name_;
  std::unique_ptr<ByteSource> bytes_;
  std::size_t piece_;
  bool begun_ = false;
  std::vector<char> buffer_;
  std::size_t position_ = 0, end_ = 0, line_begin_ = 0;
  std::uint64_t line_number_ = 0;
  std::uint64_t skipped_bytes_ = 0, skipped_line_ = 0;  // bytes that followed each other, and the last of their lines
  bool terminated_ = true;
};

}  // namespace wharf::traces

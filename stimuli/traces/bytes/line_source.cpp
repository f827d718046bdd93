#include "stimuli/traces/bytes/line_source.h"

#include <utility>

#include "model/base/text_encoding.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

LineSource::LineSource(std::string name, std::unique_ptr<ByteSource> bytes, std::size_t piece)
    : name_(std::move(name)), bytes_(std::move(bytes)), piece_(piece), buffer_(piece) {}

std::unique_ptr<LineSource> LineSource::open(const std::string& path, std::size_t piece) {
  try {
    return std::unique_ptr<LineSource>(new LineSource(path, open_bytes(path), piece));
  } catch (const DecodeFailure& failure) {
    throw TraceError(path, 0, failure.what(), failure.remedy());
  }
}

std::unique_ptr<LineSource> LineSource::from_memory(const std::string& name, std::string_view bytes) {
  return std::unique_ptr<LineSource>(new LineSource(name, open_bytes_in_memory(bytes), kPiece));
}

void LineSource::skip_line() {
  if (line_number_ != skipped_line_ + 1) skipped_bytes_ = 0;
  skipped_line_ = line_number_;
  skipped_bytes_ += position_ - line_begin_;
  if (skipped_bytes_ > kMostSkippedBytes)
    throw TraceError(name_, line_number_, "more than 16 MB of lines that say nothing follow each other, blank lines or comments",
                     "this is not a trace file");
}

bool LineSource::next_slow(std::string_view& line) {
  while (refill()) {
    const char* newline = static_cast<const char*>(std::memchr(buffer_.data() + position_, '\n', end_ - position_));
    if (newline == nullptr) continue;
    deliver(line, static_cast<std::size_t>(newline - buffer_.data()), 1);
    return true;
  }
  if (position_ == end_) return false;
  terminated_ = false;
  deliver(line, end_, 0);
  return true;
}

bool LineSource::refill() {
  std::memmove(buffer_.data(), buffer_.data() + position_, end_ - position_);
  end_ -= position_;
  position_ = 0;
  if (end_ > kLongestLine) throw TraceError(name_, line_number_ + 1, "a line is longer than 1 MB", "this is not a trace file");
  if (buffer_.size() < end_ + piece_) buffer_.resize(end_ + piece_);
  try {
    const std::size_t n = bytes_->read(buffer_.data() + end_, piece_);
    end_ += n;
    if (!begun_) skip_byte_order_mark();
    return n != 0;
  } catch (const DecodeFailure& failure) {
    throw TraceError(name_, line_number_ + 1, failure.what(), failure.remedy());
  }
}

void LineSource::skip_byte_order_mark() {
  begun_ = true;
  const std::string_view text(buffer_.data(), end_);
  if (is_utf16(text)) throw TraceError(name_, 1, "the file is UTF-16 text", kSaveAsUtf8);
  if (has_byte_order_mark(text)) position_ = kByteOrderMark.size();
}

}  // namespace wharf::traces

#include "stimuli/traces/bytes/line_source.h"

#include <utility>

#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr const char* kCopyAgain = "copy or record the file again";

}  // namespace

LineSource::LineSource(std::string name, std::unique_ptr<ByteSource> bytes)
    : name_(std::move(name)), bytes_(std::move(bytes)), buffer_(kChunk) {}

std::unique_ptr<LineSource> LineSource::open(const std::string& path) {
  try {
    return std::unique_ptr<LineSource>(new LineSource(path, open_bytes(path)));
  } catch (const DecodeFailure& failure) {
    throw TraceError(path, 0, failure.what(), "check the path and its permissions");
  }
}

std::unique_ptr<LineSource> LineSource::over_memory(const std::string& name, std::string_view bytes) {
  return std::unique_ptr<LineSource>(new LineSource(name, open_bytes_in_memory(bytes)));
}

void LineSource::pass_over() {
  if (line_number_ != passed_line_ + 1) passed_over_ = 0;
  passed_line_ = line_number_;
  passed_over_ += position_ - line_begin_;
  if (passed_over_ > kMostPassedOver)
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
  if (buffer_.size() < end_ + kChunk) buffer_.resize(end_ + kChunk);
  try {
    const std::size_t n = bytes_->read(buffer_.data() + end_, kChunk);
    end_ += n;
    return n != 0;
  } catch (const DecodeFailure& failure) {
    throw TraceError(name_, line_number_ + 1, failure.what(), kCopyAgain);
  }
}

}  // namespace wharf::traces

#pragma once
// A mistake in a trace, in parts, so that `wharf trace check` can list many, and the simulation can stop at the first.

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/error.h"

namespace wharf::traces {

/// A mistake in a trace: the message reads `file:line: text; remedy`. Line 0 means the file as a whole.
class TraceError : public InputError {
 public:
  TraceError(std::string file, std::uint64_t line, std::string text, std::string remedy);

  const std::string& file() const { return file_; }
  std::uint64_t line() const { return line_; }
  const std::string& text() const { return text_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string file_, text_, remedy_;
  std::uint64_t line_;
};

/// The remedy for a damaged file.
inline constexpr const char* kRecordAgain = "copy or record the file again";

/// `text` in single quotes, safe for a terminal: bytes outside printable ASCII become '?', and long text is cut at 60 bytes.
std::string quoted(std::string_view text);

}  // namespace wharf::traces

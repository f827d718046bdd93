#include "stimuli/traces/trace_error.h"

#include <utility>

namespace wharf::traces {

namespace {

std::string message(const std::string& file, std::uint64_t line, const std::string& text, const std::string& remedy) {
  std::string where = file;
  if (line != 0) where += ":" + std::to_string(line);
  return where + ": " + text + "; " + remedy;
}

}  // namespace

TraceError::TraceError(std::string file, std::uint64_t line, std::string text, std::string remedy)
    : InputError(message(file, line, text, remedy)),
      file_(std::move(file)),
      text_(std::move(text)),
      remedy_(std::move(remedy)),
      line_(line) {}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "'";
  for (char c : text.substr(0, kLongest)) out += (c >= ' ' && c <= '~') ? c : '?';
  if (text.size() > kLongest) out += "...";
  return out + "'";
}

}  // namespace wharf::traces

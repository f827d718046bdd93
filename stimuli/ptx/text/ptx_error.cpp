// Formats mistakes in PTX text.
#include "stimuli/ptx/text/ptx_error.h"

#include <fmt/format.h>

namespace wharf::ptx {

namespace {

std::string printable(std::string_view text, std::size_t longest) {
  std::string out;
  for (const char c : text.substr(0, longest)) out += (c >= ' ' && c <= '~') ? c : (c == '\t' ? ' ' : '?');
  if (text.size() > longest) out += "...";
  return out;
}

}  // namespace

std::string SourceText::line(std::uint32_t number) const {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < number && begin < text.size(); ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return {};
    begin = end + 1;
  }
  constexpr std::size_t kLongest = 160;
  return printable(std::string_view(text).substr(begin, text.find('\n', begin) - begin), kLongest);
}

void fail_at(const SourceText& source, Place place, const std::string& text, const std::string& remedy) {
  throw InputError(fmt::format("{}:{}:{}: {}; {}\n    {}", source.file, place.line, place.column, text, remedy, source.line(place.line)));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return "'" + printable(text, kLongest) + "'";
}

}  // namespace wharf::ptx

#include "model/base/config/tree/write.h"

#include <algorithm>

#include "model/base/config/tree/scalars.h"
#include "model/base/types.h"

namespace wharf::config {

std::string yaml_text(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 0xF]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string yaml_list(const std::vector<std::uint32_t>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i ? ", " : "") + std::to_string(values[i]);
  return out + "]";
}

std::string yaml_integer_or(std::string_view word, std::uint32_t value) {
  return value == kUnlimited ? std::string(word) : std::to_string(value);
}

std::string range_text(std::uint64_t min, std::uint64_t max) {
  return min == max ? std::to_string(min) : std::to_string(min) + ".." + std::to_string(max);
}

std::string range_text(double min, double max) { return min == max ? format_real(min) : format_real(min) + ".." + format_real(max); }

std::string one_line(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return out;
}

}  // namespace wharf::config

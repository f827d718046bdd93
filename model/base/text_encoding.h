#pragma once
// Recognises a byte order mark or UTF-16 at the beginning of a text file.

#include <string_view>

namespace wharf {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of UTF-8

inline bool has_byte_order_mark(std::string_view text) { return text.substr(0, kByteOrderMark.size()) == kByteOrderMark; }

/// True if the text begins with a byte order mark of UTF-16, or with one zero byte in its first two, as ASCII in UTF-16 does.
inline bool is_utf16(std::string_view text) {
  if (text.size() < 2) return false;
  const auto first = static_cast<unsigned char>(text[0]), second = static_cast<unsigned char>(text[1]);
  return (first == 0xFE && second == 0xFF) || (first == 0xFF && second == 0xFE) || (first == 0) != (second == 0);
}

inline constexpr const char* kSaveAsUtf8 = "save it as UTF-8; in PowerShell: Get-Content FILE | Set-Content -Encoding utf8 NEW";

}  // namespace wharf

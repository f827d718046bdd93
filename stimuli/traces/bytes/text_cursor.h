#pragma once
// Parses the words and numbers of one line. Hand-written, because a trace is read at millions of lines per second.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wharf::traces {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// The text without blanks at its ends.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Value of a hex digit, 0xFF for any other byte.
constexpr std::array<std::uint8_t, 256> make_hex_values() {
  std::array<std::uint8_t, 256> values{};
  for (auto& value : values) value = 0xFF;
  for (unsigned i = 0; i < 10; ++i) values['0' + i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < 6; ++i) values['a' + i] = values['A' + i] = static_cast<std::uint8_t>(10 + i);
  return values;
}
inline constexpr std::array<std::uint8_t, 256> kHexValues = make_hex_values();

constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// A position in a line. The parse_ functions skip blanks and expect a whole word of their form; they return false, with an undefined
/// position, where it is missing or malformed.
struct TextCursor {
  const char* at;
  const char* end;

  explicit TextCursor(std::string_view text) : at(text.data()), end(text.data() + text.size()) {}
  void skip_blanks() {
    while (at != end && is_blank(*at)) ++at;
  }
  /// Skips blanks; returns true where nothing else is left.
  bool done() {
    skip_blanks();
    return at == end;
  }
  bool at_word_end() const { return at == end || is_blank(*at); }
  /// The next word; empty at the end of the line.
  std::string_view word() {
    skip_blanks();
    const char* begin = at;
    while (!at_word_end()) ++at;
    return {begin, static_cast<std::size_t>(at - begin)};
  }

  /// Takes the word before once more, behind a single blank. Returns false, without moving, where something else follows.
  bool take_again(std::string_view word) {
    const std::size_t length = word.size();
    if (static_cast<std::size_t>(end - at) <= length || *at != ' ') return false;
    for (std::size_t i = 0; i < length; ++i)  // a few characters
      if (at[1 + i] != word[i]) return false;
    if (at + 1 + length != end && !is_blank(at[1 + length])) return false;
    at += 1 + length;
    return true;
  }

  /// Takes at most `max_digits` hex digits without prefix.
  bool parse_hex(std::uint64_t& value, unsigned max_digits) {
    skip_blanks();
    const char* begin = at;
    value = 0;
    for (; at != end && kHexValues[static_cast<unsigned char>(*at)] != 0xFF; ++at) {
      value = value << 4 | kHexValues[static_cast<unsigned char>(*at)];
    }
    return at != begin && static_cast<std::size_t>(at - begin) <= max_digits && at_word_end();
  }
  /// Takes an address: hex digits with or without 0x, as `prefixed` reports.
  bool parse_address(std::uint64_t& value, bool& prefixed) {
    skip_blanks();
    prefixed = end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    if (prefixed) at += 2;
    if (prefixed && is_blank(*at)) return false;
    return parse_hex(value, 16);
  }
  /// Takes a decimal number of at most `limit`.
  bool parse_unsigned(std::uint64_t& value, std::uint64_t limit) {
    skip_blanks();
    return parse_digits(value, limit);
  }
  /// Takes a decimal 64-bit number with an optional sign.
  bool parse_signed(std::int64_t& value) {
    skip_blanks();
    const bool negative = at != end && *at == '-';
    if (negative) ++at;
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 63;
    std::uint64_t magnitude = 0;
    if (!parse_digits(magnitude, negative ? kLargest : kLargest - 1)) return false;
    value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
    return true;
  }
  /// Takes a decimal number, or one with 0x, of 64 bits, which are its `bits`.
  bool parse_immediate(std::uint64_t& bits) {
    const TextCursor begin = *this;
    std::int64_t value = 0;
    bool prefixed = false;
    if (parse_signed(value)) {
      bits = static_cast<std::uint64_t>(value);
      return true;
    }
    *this = begin;
    if (parse_address(bits, prefixed) && prefixed) return true;
    *this = begin;
    return parse_unsigned(bits, ~std::uint64_t{0});
  }

 private:
  bool parse_digits(std::uint64_t& value, std::uint64_t limit) {
    const char* begin = at;
    value = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
    if (at - begin > kDigitsThatFit && exceeds({begin, static_cast<std::size_t>(at - begin)}, limit)) return false;
    return at != begin && value <= limit && at_word_end();
  }
  static constexpr std::ptrdiff_t kDigitsThatFit = 19;  // in 64 bits, whatever they are
  /// True where a decimal number of any length is more than `limit`.
  static bool exceeds(std::string_view digits, std::uint64_t limit) {
    std::uint64_t value = 0;
    for (const char c : digits) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (digit > limit || value > (limit - digit) / 10) return true;
      value = value * 10 + digit;
    }
    return false;
  }
};

/// The value of a line `key = value`; returns false for any other line.
inline bool value_of(std::string_view line, std::string_view key, std::string_view& value) {
  TextCursor cursor(line);
  cursor.skip_blanks();
  const std::string_view rest(cursor.at, static_cast<std::size_t>(cursor.end - cursor.at));
  if (rest.substr(0, key.size()) != key) return false;
  cursor.at += key.size();
  cursor.skip_blanks();
  if (cursor.at == cursor.end || *cursor.at != '=') return false;
  ++cursor.at;
  cursor.skip_blanks();
  value = std::string_view(cursor.at, static_cast<std::size_t>(cursor.end - cursor.at));
  return true;
}

}  // namespace wharf::traces

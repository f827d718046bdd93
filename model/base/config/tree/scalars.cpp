#include "model/base/config/tree/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "model/base/text.h"

namespace wharf::config {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// The complaint that the node is no plain scalar; empty if it is one.
std::string not_plain(const Node& node, const char* wanted) {
  if (!node.is(Node::Kind::scalar)) return "is " + name_of(node) + "; write " + wanted;
  if (node.in_quotes) return "is the text " + quote(node.text) + "; write " + std::string(wanted) + " without quotes";
  return {};
}

// True for digits [. digits] [e [+-] digits] with an optional minus and no superfluous zeros.
bool is_decimal(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  const std::size_t whole = count_digits(text);
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  text.remove_prefix(whole);
  if (!text.empty() && text[0] == '.') {
    const std::size_t fraction = count_digits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
    const std::size_t exponent = count_digits(text);
    if (exponent == 0) return false;
    text.remove_prefix(exponent);
  }
  return text.empty();
}

}  // namespace

Parsed<std::uint64_t> parse_integer(const Node& node, std::uint64_t min, std::uint64_t max) {
  const std::string range = fmt::format("write a whole number from {} to {}", min, max);
  const std::string reason = not_plain(node, "a whole number");
  if (!reason.empty()) return {0, reason};
  const std::string_view text = node.text;
  if (text.empty() || count_digits(text) != text.size()) return {0, fmt::format("is {}; {} in decimal digits only", quote(text), range)};
  if (text.size() > 1 && text[0] == '0')
    return {0, fmt::format("is {}, which could be octal; {} without leading zeros", quote(text), range)};
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || value < min || value > max) return {0, fmt::format("{} is out of range; {}", quote(text), range)};
  return {value, {}};
}

Parsed<double> parse_real(const Node& node, double min, double max) {
  const std::string range = fmt::format("write a number from {} to {}", min, max);
  const std::string reason = not_plain(node, "a number");
  if (!reason.empty()) return {0, reason};
  const std::string& text = node.text;
  if (!is_decimal(text)) return {0, fmt::format("is {}; {} such as 0.5", quote(text), range)};
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || !(value >= min && value <= max)) return {0, fmt::format("{} is out of range; {}", quote(text), range)};
  return {value, {}};
}

Parsed<bool> parse_flag(const Node& node) {
  const std::string reason = not_plain(node, "true or false");
  if (!reason.empty()) return {false, reason};
  if (node.text != "true" && node.text != "false") return {false, "is " + quote(node.text) + "; write true or false"};
  return {node.text == "true", {}};
}

Parsed<std::string> parse_text(const Node& node) {
  if (!node.is(Node::Kind::scalar)) return {{}, "is " + name_of(node) + "; write a text, in quotes if in doubt"};
  const bool one_line = first_unprintable(node.text) == std::string::npos && node.text.find_first_of("\r\n") == std::string::npos;
  if (!one_line) return {{}, "is " + quote(node.text) + "; write one line of text"};
  return {node.text, {}};
}

std::string format_real(double value) { return fmt::format("{}", value); }

}  // namespace wharf::config

#pragma once
// Strict parsers of scalars. An ambiguous scalar (010, 1_000, yes, "8") is refused, and the complaint says how to write it.

#include <cstdint>
#include <string>

#include "model/base/config/tree/document.h"

namespace wharf::config {

/// A value, or the complaint why there is none ("is 0x10; write a decimal whole number such as 16").
template <class Value>
struct Parsed {
  Value value{};
  std::string complaint;  // empty if the value is good
  bool good() const { return complaint.empty(); }
};

/// Decimal digits without sign, leading zeros, point, exponent or separators, in [min, max].
Parsed<std::uint64_t> parse_integer(const Node& node, std::uint64_t min, std::uint64_t max);

/// A finite decimal number in [min, max]; point and exponent are optional.
Parsed<double> parse_real(const Node& node, double min, double max);

/// true or false.
Parsed<bool> parse_flag(const Node& node);

/// Any text, without line breaks or other control characters.
Parsed<std::string> parse_text(const Node& node);

/// The shortest text that parse_real reads back as the same number.
std::string format_real(double value);

}  // namespace wharf::config

#pragma once
// Writes values as YAML that a Reader reads back unchanged.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wharf::config {

/// In double quotes, with escapes.
std::string yaml_text(std::string_view text);

/// [1, 2, 3]
std::string yaml_list(const std::vector<std::uint32_t>& values);

/// A number, or `word` for kUnlimited.
std::string yaml_integer_or(std::string_view word, std::uint32_t value);

/// "1..64", or one number if both ends are equal.
std::string range_text(std::uint64_t min, std::uint64_t max);
std::string range_text(double min, double max);

/// Joins the lines of the text into one.
std::string one_line(std::string_view text);

}  // namespace wharf::config

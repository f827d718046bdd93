#pragma once
// Splits PTX text into tokens.

#include <cstdint>
#include <string_view>
#include <vector>

#include "stimuli/ptx/text/ptx_error.h"

namespace wharf::ptx {

struct Token {
  /// `word` is an identifier (letters, digits, `_`, `$`, `%`); `dotted` a dot with the word behind it, as ".f32" or ".L1::evict_last".
  enum class Kind : std::uint8_t { word, dotted, integer, float32, float64, string, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;    // of `dotted` without the dot, of `string` without the quotes
  std::uint64_t value = 0;  // of an integer; of a float its bits
  Place place;

  bool is(char symbol) const { return kind == Kind::symbol && text.front() == symbol; }
};

/// The tokens of `source`, the last one of kind `end`. Comments and blanks are skipped. Throws InputError for characters and numbers that
/// PTX does not have.
std::vector<Token> tokenize(const SourceText& source);

}  // namespace wharf::ptx

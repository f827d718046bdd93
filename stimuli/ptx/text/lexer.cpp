// Splits PTX text into tokens.
#include "stimuli/ptx/text/lexer.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace wharf::ptx {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$'; }

/// The value of a digit in bases up to 16; 99 for any other character.
constexpr unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 99;
}

class Lexer {
 public:
  explicit Lexer(const SourceText& source) : source_(source), text_(source.text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4);
    do tokens.push_back(next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  char at(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  Place place() const { return {line_, static_cast<std::uint32_t>(position_ - line_begin_ + 1)}; }
  [[noreturn]] void fail(Place place, const std::string& text, const std::string& remedy) const { fail_at(source_, place, text, remedy); }

  void advance() {
    if (text_[position_++] == '\n') {
      ++line_;
      line_begin_ = position_;
    }
  }

  void skip_blanks() {
    while (position_ < text_.size()) {
      const char c = at();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
        advance();
      } else if (c == '/' && at(1) == '/') {
        while (position_ < text_.size() && at() != '\n') advance();
      } else if (c == '/' && at(1) == '*') {
        skip_block_comment();
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const Place begin = place();
    for (advance(), advance(); position_ < text_.size(); advance()) {
      if (at() == '*' && at(1) == '/') {
        advance();
        advance();
        return;
      }
    }
    fail(begin, "the comment has no end", "close it with */");
  }

  Token next() {
    skip_blanks();
    Token token;
    token.place = place();
    if (position_ >= text_.size()) return token;
    const char c = at();
    if (is_digit(c)) return number(token);
    if (is_word(c) || c == '%') return word(token, Token::Kind::word);
    if (c == '.' && is_word(at(1))) {
      advance();
      return word(token, Token::Kind::dotted);
    }
    if (c == '"') return string(token);
    if (std::string_view("{}()[]<>,;:@!|+-=*/&^~?").find(c) == std::string_view::npos)
      fail(token.place, "unexpected character " + quoted({&text_[position_], 1}), "PTX has no such character outside comments and strings");
    token.kind = Token::Kind::symbol;
    token.text = std::string_view(text_).substr(position_, 1);
    advance();
    return token;
  }

  Token word(Token token, Token::Kind kind) {
    const std::size_t begin = position_;
    advance();
    // Two colons join the parts of a modifier, as in .shared::cta; one colon ends a label.
    while (is_word(at()) || (kind == Token::Kind::dotted && at() == ':' && at(1) == ':' && is_word(at(2)))) {
      if (at() == ':') advance();
      advance();
    }
    token.kind = kind;
    token.text = std::string_view(text_).substr(begin, position_ - begin);
    return token;
  }

  Token string(Token token) {
    advance();
    const std::size_t begin = position_;
    while (position_ < text_.size() && at() != '"' && at() != '\n') advance();
    if (at() != '"') fail(token.place, "the string has no end", "close it with \" on the same line");
    token.kind = Token::Kind::string;
    token.text = std::string_view(text_).substr(begin, position_ - begin);
    advance();
    return token;
  }

  Token number(Token token) {
    const char kind = at() == '0' ? at(1) : '\0';
    if (kind == 'f' || kind == 'F') return float_bits(token, Token::Kind::float32, 8);
    if (kind == 'd' || kind == 'D') return float_bits(token, Token::Kind::float64, 16);
    const std::size_t begin = position_;
    unsigned base = 10;
    if (kind == 'x' || kind == 'X')
      base = 16;
    else if (kind == 'b' || kind == 'B')
      base = 2;
    else if (is_digit(kind))
      base = 8;
    if (base == 16 || base == 2) position_ += 2;
    const std::size_t digits = position_;
    for (unsigned digit; (digit = digit_value(at())) < (base == 16 ? 16u : 10u); ++position_) {
      if (digit >= base && !is_decimal_float(begin))
        fail(token.place, "the number has a digit that its base lacks", "octal has 0 to 7, binary 0 and 1");
      if (token.value > (std::numeric_limits<std::uint64_t>::max() - digit) / base && !is_decimal_float(begin))
        fail(token.place, "the number does not fit 64 bits", "use at most 0xFFFFFFFFFFFFFFFF");
      token.value = token.value * base + digit;
    }
    if (position_ == digits) fail(token.place, "the number has no digits", "write at least one digit");
    if (base != 16 && is_decimal_float(begin)) return decimal_float(token, begin);
    if (at() == 'U') ++position_;
    if (is_word(at())) fail(token.place, "the number runs into a name", "separate them");
    token.kind = Token::Kind::integer;
    token.text = std::string_view(text_).substr(begin, position_ - begin);
    return token;
  }

  /// True where the digits at `begin` are those of a decimal number with a point or an exponent.
  bool is_decimal_float(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end >= text_.size()) return false;
    return text_[end] == '.' || ((text_[end] == 'e' || text_[end] == 'E') && end + 1 < text_.size() &&
                                 (is_digit(text_[end + 1]) || text_[end + 1] == '-' || text_[end + 1] == '+'));
  }

  Token decimal_float(Token token, std::size_t begin) {
    constexpr std::size_t kLongest = 64;
    const std::string digits(text_, begin, kLongest);
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    position_ = begin + static_cast<std::size_t>(end - digits.c_str());
    if (is_word(at())) fail(token.place, "the number runs into a name", "separate them, and use at most 64 characters for a number");
    std::memcpy(&token.value, &value, sizeof value);
    token.kind = Token::Kind::float64;
    token.text = std::string_view(text_).substr(begin, position_ - begin);
    return token;
  }

  Token float_bits(Token token, Token::Kind kind, unsigned count) {
    const std::size_t begin = position_;
    position_ += 2;
    for (unsigned i = 0; i < count; ++i, ++position_) {
      const unsigned digit = digit_value(at());
      if (digit > 15) fail(token.place, "a float in hexadecimal has too few digits", "write 0f with 8 digits or 0d with 16");
      token.value = token.value << 4 | digit;
    }
    if (is_word(at())) fail(token.place, "a float in hexadecimal has too many digits", "write 0f with 8 digits or 0d with 16");
    token.kind = kind;
    token.text = std::string_view(text_).substr(begin, position_ - begin);
    return token;
  }

  const SourceText& source_;
  const std::string& text_;
  std::size_t position_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(const SourceText& source) { return Lexer(source).run(); }

}  // namespace wharf::ptx

#pragma once
// A position in the tokens of a module, with what every part of the parser asks for.

#include <string>
#include <string_view>
#include <vector>

#include "stimuli/ptx/text/lexer.h"

namespace wharf::ptx {

class TokenReader {
 public:
  TokenReader(const SourceText& source, std::vector<Token> tokens) : source_(source), tokens_(std::move(tokens)) {}

  const SourceText& source() const { return source_; }
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(position_ + ahead, tokens_.size() - 1)]; }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  /// The present token; the reader stays at the end once it is there.
  const Token& next() {
    const Token& token = peek();
    if (!at_end()) ++position_;
    return token;
  }
  /// Takes the symbol if it is next.
  bool accept(char symbol) {
    if (!peek().is(symbol)) return false;
    next();
    return true;
  }
  /// Takes `.word` if it is next.
  bool accept_dotted(std::string_view word) {
    if (peek().kind != Token::Kind::dotted || peek().text != word) return false;
    next();
    return true;
  }
  void expect(char symbol, const std::string& where) {
    if (!accept(symbol)) unexpected("'" + std::string(1, symbol) + "' " + where);
  }
  std::string_view expect_word(const std::string& what) {
    if (peek().kind != Token::Kind::word) unexpected(what);
    return next().text;
  }
  std::uint64_t expect_integer(const std::string& what, std::uint64_t limit) {
    if (peek().kind != Token::Kind::integer) unexpected(what);
    if (peek().value > limit)
      fail(peek().place, what + ": " + std::string(peek().text) + " is too large", "use at most " + std::to_string(limit));
    return next().value;
  }

  [[noreturn]] void fail(Place place, const std::string& text, const std::string& remedy) const { fail_at(source_, place, text, remedy); }
  [[noreturn]] void unexpected(const std::string& expected) const {
    const Token& token = peek();
    fail(token.place, token.kind == Token::Kind::end ? "the file ends" : "unexpected " + quoted(token.text), "expected " + expected);
  }

 private:
  const SourceText& source_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
};

}  // namespace wharf::ptx

// Evaluates constant expressions by precedence climbing.
#include "stimuli/ptx/text/constant_expression.h"

#include "model/base/types.h"

namespace wharf::ptx {

namespace {

constexpr unsigned kMostParentheses = 64;  // parentheses and signs in one expression

/// Binds tighter the higher it is; 0 for what is no binary operator.
unsigned precedence(const Token& token) {
  if (token.kind == Token::Kind::word && token.text == "%") return 4;
  if (token.kind != Token::Kind::symbol) return 0;
  switch (token.text.front()) {
    case '*':
    case '/':
      return 4;
    case '+':
    case '-':
      return 3;
    case '&':
      return 2;
    case '^':
      return 1;
    default:
      return 0;
  }
}

std::int64_t binary(TokenReader& reader, unsigned least, unsigned depth);

std::int64_t unary(TokenReader& reader, unsigned depth) {
  const Token& token = reader.peek();
  if (depth > kMostParentheses) reader.fail(token.place, "the expression is nested too deeply", "use at most 64 parentheses and signs");
  if (reader.accept('-')) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(unary(reader, depth + 1)));
  if (reader.accept('+')) return unary(reader, depth + 1);
  if (reader.accept('~')) return ~unary(reader, depth + 1);
  if (reader.accept('!')) return unary(reader, depth + 1) == 0;
  if (reader.accept('(')) {
    const std::int64_t value = binary(reader, 1, depth + 1);
    reader.expect(')', "behind an expression");
    return value;
  }
  if (token.kind == Token::Kind::word && token.text == "WARP_SZ") {
    reader.next();
    return kLanes;
  }
  if (token.kind != Token::Kind::integer) reader.unexpected("an integer");
  return static_cast<std::int64_t>(reader.next().value);
}

std::int64_t combine(const TokenReader& reader, const Token& operation, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  switch (operation.text.front()) {
    case '*':
      return static_cast<std::int64_t>(a * b);
    case '+':
      return static_cast<std::int64_t>(a + b);
    case '-':
      return static_cast<std::int64_t>(a - b);
    case '&':
      return left & right;
    case '^':
      return left ^ right;
    default:
      break;
  }
  if (right == 0) reader.fail(operation.place, "the expression divides by zero", "use another divisor");
  const bool remainder = operation.text.front() == '%';
  if (right == -1) return remainder ? 0 : static_cast<std::int64_t>(0 - a);  // the host traps for the smallest integer
  return remainder ? left % right : left / right;
}

std::int64_t binary(TokenReader& reader, unsigned least, unsigned depth) {
  std::int64_t left = unary(reader, depth);
  while (precedence(reader.peek()) >= least) {
    const Token operation = reader.next();
    const std::int64_t right = binary(reader, precedence(operation) + 1, depth + 1);
    left = combine(reader, operation, left, right);
  }
  return left;
}

}  // namespace

std::int64_t read_constant(TokenReader& reader) { return binary(reader, 1, 0); }
std::int64_t read_constant_operand(TokenReader& reader) { return unary(reader, 0); }

}  // namespace wharf::ptx

// Parses one instruction.
#include "stimuli/ptx/text/statement_parser.h"

#include <algorithm>
#include <initializer_list>

#include "stimuli/ptx/text/constant_expression.h"

namespace wharf::ptx {

namespace {

using Kind = OperandSyntax::Kind;

constexpr unsigned kMostBrackets = 4;       // braces and brackets of an operand
constexpr std::size_t kMostOperands = 256;  // of an instruction or a list
constexpr std::size_t kMostWords = 16;      // modifiers of an opcode

class StatementParser {
 public:
  StatementParser(TokenReader& reader, const Names& names) : reader_(reader), names_(names) {}

  Statement read() {
    Statement statement;
    statement.scope = names_.block();
    statement.place = reader_.peek().place;
    if (reader_.accept('@')) read_guard(statement);
    statement.opcode = reader_.expect_word("an instruction");
    while (reader_.peek().kind == Token::Kind::dotted) {
      if (statement.words.size() >= kMostWords)
        reader_.fail(reader_.peek().place, "the instruction has too many modifiers", "use at most 16");
      statement.words.push_back(reader_.next().text);
    }
    if (reader_.accept(';')) return statement;
    do {
      if (statement.operands.size() >= kMostOperands)
        reader_.fail(reader_.peek().place, "the instruction has too many operands", "use at most 256");
      statement.operands.push_back(read_operand(0));
    } while (reader_.accept(','));
    reader_.expect(';', "behind an instruction");
    return statement;
  }

 private:
  void read_guard(Statement& statement) {
    statement.guard_negated = reader_.accept('!');
    const Place place = reader_.peek().place;
    const std::string_view name = reader_.expect_word("a predicate behind @");
    const auto found = names_.find(name);
    if (!found || !found->is_register) reader_.fail(place, quoted(name) + " is not a register", "declare it with .reg .pred");
    statement.guard = found->index;
  }

  OperandSyntax read_operand(unsigned depth) {
    OperandSyntax operand = read_single(depth);
    if (!reader_.peek().is('|')) return operand;
    OperandSyntax both;
    both.kind = Kind::both;
    both.place = operand.place;
    reader_.next();
    both.parts.push_back(std::move(operand));
    both.parts.push_back(read_single(depth));
    return both;
  }

  OperandSyntax read_single(unsigned depth) {
    const Token& token = reader_.peek();
    OperandSyntax operand;
    operand.place = token.place;
    if (depth > kMostBrackets) reader_.fail(token.place, "the operand is nested too deeply", "use at most four braces or brackets");
    if (reader_.accept('!')) {
      operand = read_single(depth + 1);
      operand.negated = !operand.negated;
      return operand;
    }
    if (token.is('{')) return read_list('{', '}', depth);
    if (token.is('(') && depth == 0 && lists_names()) return read_list('(', ')', depth);
    if (token.is('[')) return read_address(depth);
    if (token.kind == Token::Kind::word && token.text != "WARP_SZ") return read_name();
    if (token.kind == Token::Kind::float32 || token.kind == Token::Kind::float64) return read_float(false);
    if (token.is('-') && (reader_.peek(1).kind == Token::Kind::float32 || reader_.peek(1).kind == Token::Kind::float64)) {
      reader_.next();
      return read_float(true);
    }
    operand.kind = Kind::integer;
    operand.value = static_cast<std::uint64_t>(read_constant(reader_));
    return operand;
  }

  /// A parenthesis opens a list of a call where a name or another list follows, else an expression.
  bool lists_names() const {
    const Token& next = reader_.peek(1);
    if (next.is(')') || (next.kind == Token::Kind::word && next.text != "WARP_SZ") || next.kind == Token::Kind::float32 ||
        next.kind == Token::Kind::float64)
      return true;
    return next.kind == Token::Kind::integer && (reader_.peek(2).is(',') || reader_.peek(2).is(')'));
  }

  OperandSyntax read_list(char open, char close, unsigned depth) {
    OperandSyntax list;
    list.kind = Kind::list;
    list.place = reader_.peek().place;
    reader_.expect(open, "before a list");
    if (reader_.accept(close)) return list;
    do {
      if (list.parts.size() >= kMostOperands) reader_.fail(reader_.peek().place, "the list is too long", "use at most 256 elements");
      list.parts.push_back(read_operand(depth + 1));
    } while (reader_.accept(','));
    reader_.expect(close, "behind a list");
    return list;
  }

  OperandSyntax read_address(unsigned depth) {
    OperandSyntax address;
    address.kind = Kind::address;
    address.place = reader_.peek().place;
    reader_.expect('[', "before an address");
    address.parts.push_back(read_operand(depth + 1));
    while (reader_.accept(',')) address.parts.push_back(read_operand(depth + 1));
    if (reader_.peek().is('+') || reader_.peek().is('-')) address.offset = read_offset();
    reader_.expect(']', "behind an address");
    return address;
  }

  std::int64_t read_offset() {
    const bool negative = reader_.next().is('-');
    const auto value = static_cast<std::uint64_t>(read_constant_operand(reader_));
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }

  OperandSyntax read_float(bool negative) {
    OperandSyntax operand;
    operand.place = reader_.peek().place;
    const Token& token = reader_.next();
    operand.kind = token.kind == Token::Kind::float32 ? Kind::float32 : Kind::float64;
    const unsigned sign = token.kind == Token::Kind::float32 ? 31 : 63;
    operand.value = negative ? token.value ^ std::uint64_t{1} << sign : token.value;
    return operand;
  }

  OperandSyntax read_name() {
    OperandSyntax operand;
    operand.place = reader_.peek().place;
    operand.name = reader_.next().text;
    if (operand.name == "_") return operand;
    const auto found = names_.find(operand.name);
    if (found && found->is_register) {
      operand.kind = Kind::reg;
      operand.index = found->index;
      return operand;
    }
    if (!found && operand.name.front() == '%') return read_special(operand);
    operand.kind = found ? Kind::variable : Kind::symbol;
    if (found) operand.index = found->index;
    // In an address, the offset belongs to the address.
    if ((reader_.peek().is('+') || reader_.peek().is('-'))) operand.offset = read_offset();
    return operand;
  }

  /// %tid.x: the part behind the dot belongs to the name.
  OperandSyntax read_special(OperandSyntax operand) {
    operand.kind = Kind::special;
    if (reader_.peek().kind == Token::Kind::dotted) {
      const std::string_view part = reader_.next().text;
      operand.name = {operand.name.data(), static_cast<std::size_t>(part.data() + part.size() - operand.name.data())};
    }
    return operand;
  }

  TokenReader& reader_;
  const Names& names_;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_one_of(const Statement& statement, std::initializer_list<std::string_view> words) {
  return std::any_of(statement.words.begin(), statement.words.end(), [words](std::string_view word) { return is_one_of(word, words); });
}

bool is_access(const Statement& statement) {
  return is_one_of(statement.opcode, {"ld", "st", "atom", "red"}) && !has_one_of(statement, {"async"});
}

bool is_space(std::string_view word) { return is_one_of(word.substr(0, word.find(':')), {"global", "shared", "local", "const", "param"}); }

/// The assembler takes the modifiers of an access in any order; the table has them as the PTX ISA writes them: order, scope and space first.
void put_order_first(Statement& statement) {
  const auto rank = [](std::string_view word) {
    if (is_one_of(word, {"volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "sc"})) return 0;
    if (is_one_of(word, {"cta", "gpu", "sys", "cluster"})) return 1;
    return is_space(word) ? 2 : 3;
  };
  if (is_access(statement))
    std::stable_sort(statement.words.begin(), statement.words.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
}

/// The fence that orders accesses of other SMs' threads, if one of `orders` asks for it.
std::optional<Statement> fence_for(const Statement& access, std::initializer_list<std::string_view> orders) {
  const auto in_shared_memory = [](std::string_view word) { return word.substr(0, word.find(':')) == "shared"; };
  if (!is_access(access) || !has_one_of(access, orders) || has_one_of(access, {"cta"}) ||
      std::any_of(access.words.begin(), access.words.end(), in_shared_memory))
    return std::nullopt;
  Statement fence = access;
  fence.opcode = "fence";
  fence.words = {"acq_rel", has_one_of(access, {"sys"}) ? "sys" : has_one_of(access, {"cluster"}) ? "cluster" : "gpu"};
  fence.operands.clear();
  return fence;
}

}  // namespace

Statement read_statement(TokenReader& reader, const Names& names) {
  Statement statement = StatementParser(reader, names).read();
  put_order_first(statement);
  return statement;
}

std::optional<Statement> fence_before(const Statement& access) { return fence_for(access, {"release", "acq_rel"}); }

std::optional<Statement> fence_behind(const Statement& access) { return fence_for(access, {"acquire", "acq_rel"}); }

}  // namespace wharf::ptx

// Parses declarations of variables.
#include "stimuli/ptx/text/variable_parser.h"

#include <cstring>

#include "stimuli/ptx/text/constant_expression.h"

namespace wharf::ptx {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;  // of one variable
constexpr unsigned kMostBraces = 16;                          // braces of an initialiser

class Initialiser {
 public:
  Initialiser(TokenReader& reader, Variable& variable) : reader_(reader), variable_(variable), element_(bytes_of(variable.type)) {}

  void read() { read_value(0); }

 private:
  void read_value(unsigned depth) {
    if (!reader_.peek().is('{')) return read_element();
    if (depth >= kMostBraces) reader_.fail(reader_.peek().place, "the initialiser is nested too deeply", "use at most 16 braces");
    reader_.next();
    if (reader_.accept('}')) return;
    do read_value(depth + 1);
    while (reader_.accept(','));
    reader_.expect('}', "at the end of an initialiser");
  }

  void read_element() {
    const Token& token = reader_.peek();
    if (variable_.bytes != 0 && variable_.initial.size() + element_ > variable_.bytes)
      reader_.fail(token.place, "the initialiser has more elements than the variable", "remove some, or declare a longer array");
    if (token.kind == Token::Kind::word && token.text != "WARP_SZ") return read_symbol();
    std::uint64_t value = 0;
    const bool negative = token.is('-') && (reader_.peek(1).kind == Token::Kind::float32 || reader_.peek(1).kind == Token::Kind::float64);
    if (negative) reader_.next();
    if (reader_.peek().kind == Token::Kind::float32 || reader_.peek().kind == Token::Kind::float64) {
      value = float_bits(negative);
    } else {
      value = static_cast<std::uint64_t>(read_constant(reader_));
    }
    append(value);
  }

  std::uint64_t float_bits(bool negative) {
    const Token& token = reader_.next();
    const bool single = token.kind == Token::Kind::float32;
    double value = 0;
    float small = 0;
    if (single) {
      const auto bits = static_cast<std::uint32_t>(token.value);
      std::memcpy(&small, &bits, sizeof small);
      value = static_cast<double>(small);
    } else {
      std::memcpy(&value, &token.value, sizeof value);
      small = static_cast<float>(value);
    }
    constexpr std::uint32_t kSign32 = 0x80000000u;
    constexpr std::uint64_t kSign64 = std::uint64_t{1} << 63;
    if (variable_.type == Type::f32 || (single && element_ == 4)) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &small, sizeof bits);
      return negative ? bits ^ kSign32 : bits;
    }
    if (element_ != 8)
      reader_.fail(token.place, "a float initialises a variable of type " + std::string(name_of(variable_.type)), "use .f32 or .f64");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return negative ? bits ^ kSign64 : bits;
  }

  /// name, name+4, generic(name)+4, or mask(name) with 0xFF...
  void read_symbol() {
    Relocation relocation;
    relocation.place = reader_.peek().place;
    relocation.offset = variable_.initial.size();
    relocation.bytes = element_;
    std::string_view word = reader_.next().text;
    if (word == "generic" && reader_.accept('(')) {
      relocation.generic = true;
      word = reader_.expect_word("the name of a variable");
      reader_.expect(')', "behind generic(name");
    }
    relocation.symbol = word;
    if (reader_.peek().is('+') || reader_.peek().is('-')) relocation.addend = read_constant_operand_with_sign();
    variable_.relocations.push_back(relocation);
    append(0);
  }

  std::int64_t read_constant_operand_with_sign() {
    const bool negative = reader_.next().is('-');
    const std::int64_t value = read_constant_operand(reader_);
    return negative ? -value : value;
  }

  void append(std::uint64_t value) {
    for (unsigned i = 0; i < element_; ++i) variable_.initial.push_back(static_cast<std::byte>(i < 8 ? value >> (8 * i) : 0));
  }

  TokenReader& reader_;
  Variable& variable_;
  unsigned element_;
};

/// Reads the lengths behind a name: [4][3], or [] for the first of an external array.
void read_lengths(TokenReader& reader, Variable& variable) {
  std::uint64_t elements = 1;
  bool open = false;
  for (bool first = true; reader.accept('['); first = false) {
    if (first && reader.accept(']')) {
      open = true;
      continue;
    }
    const Place place = reader.peek().place;
    const auto length = static_cast<std::uint64_t>(read_constant(reader));
    if (length > kMostBytes || (length != 0 && elements > kMostBytes / length))
      reader.fail(place, "the array is too long", "a variable may have at most 4 GiB");
    elements *= length;
    reader.expect(']', "behind the length of an array");
  }
  if (variable.bytes > kMostBytes / std::max<std::uint64_t>(elements, 1))
    reader.fail(variable.place, "the array is too long", "a variable may have at most 4 GiB");
  variable.bytes = open ? 0 : elements * variable.bytes;
}

/// Reads .align, .v2, .ptr and the type, in any order but the type last.
void read_attributes(TokenReader& reader, Variable& variable) {
  unsigned vector = 1;
  std::uint32_t alignment = 0;
  for (;;) {
    const Token& token = reader.peek();
    if (token.kind != Token::Kind::dotted) reader.unexpected("the type of a variable, such as .u32");
    if (reader.accept_dotted("align")) {
      const Place place = reader.peek().place;
      const std::uint64_t value = reader.expect_integer("an alignment", 4096);
      if (value == 0 || (value & (value - 1)) != 0) reader.fail(place, "the alignment is not a power of two", "use 1, 2, 4, 8, ...");
      alignment = static_cast<std::uint32_t>(value);
    } else if (reader.accept_dotted("v2")) {
      vector = 2;
    } else if (reader.accept_dotted("v4")) {
      vector = 4;
    } else if (reader.accept_dotted("attribute")) {
      reader.expect('(', "behind .attribute");
      while (!reader.at_end() && !reader.accept(')')) reader.next();
    } else if (token.text == "texref" || token.text == "samplerref" || token.text == "surfref") {
      reader.next();
      variable.is_texture = true;
      variable.type = Type::u64;
      break;
    } else if (const auto type = type_named(token.text); type && bytes_of(*type) != 0) {
      reader.next();
      variable.type = *type;
      break;
    } else {
      reader.fail(token.place, "." + std::string(token.text) + " is not a type of a variable", "use one such as .b8, .u32 or .f64");
    }
  }
  variable.bytes = std::uint64_t{bytes_of(variable.type)} * vector;
  variable.alignment = alignment != 0 ? alignment : static_cast<std::uint32_t>(variable.bytes);
}

/// Parameters of kernels may say where they point: .ptr .global .align 4.
void skip_pointer_attributes(TokenReader& reader) {
  if (!reader.accept_dotted("ptr")) return;
  while (reader.peek().kind == Token::Kind::dotted) {
    if (reader.next().text == "align") reader.expect_integer("an alignment", 4096);
  }
}

}  // namespace

Linkage read_linkage(TokenReader& reader) {
  Linkage linkage = Linkage::internal;
  for (;;) {
    if (reader.accept_dotted("extern"))
      linkage = Linkage::external;
    else if (reader.accept_dotted("visible"))
      linkage = Linkage::visible;
    else if (reader.accept_dotted("weak") || reader.accept_dotted("common"))
      linkage = Linkage::weak;
    else
      return linkage;
  }
}

void read_variables(TokenReader& reader, Linkage linkage, std::vector<Variable>& variables) {
  Variable common;
  common.linkage = linkage;
  if (reader.accept_dotted("tex")) {
    common.is_texture = true;
  } else {
    const auto space = reader.peek().kind == Token::Kind::dotted ? space_named(reader.peek().text) : std::nullopt;
    if (!space) reader.unexpected("a space such as .global or .shared");
    reader.next();
    common.space = *space;
  }
  // A bank number, as in .const[2], belonged to PTX before version 2.2.
  if (reader.peek().is('['))
    reader.fail(reader.peek().place, "banks of constants are not supported", "compile for PTX version 2.2 or later");
  read_attributes(reader, common);
  skip_pointer_attributes(reader);
  do {
    Variable variable = common;
    variable.place = reader.peek().place;
    variable.name = reader.expect_word("the name of a variable");
    read_lengths(reader, variable);
    if (reader.accept('=')) {
      Initialiser(reader, variable).read();
      if (variable.bytes == 0) variable.bytes = variable.initial.size();
    }
    variables.push_back(std::move(variable));
  } while (common.space != StateSpace::param && reader.accept(','));
}

}  // namespace wharf::ptx

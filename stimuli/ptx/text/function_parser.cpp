// Parses the header of a function and the directives in its body; statements are read by statement_parser.
#include "stimuli/ptx/text/function_parser.h"

#include <cstdio>
#include <string>

#include "stimuli/ptx/text/names.h"
#include "stimuli/ptx/text/statement_parser.h"
#include "stimuli/ptx/text/variable_parser.h"

namespace wharf::ptx {

namespace {

constexpr std::uint32_t kMostBlocks = 256;  // blocks

class FunctionParser {
 public:
  FunctionParser(TokenReader& reader, Function& function) : reader_(reader), function_(function), names_(reader, function) {}

  void read_header() {
    function_.is_kernel = reader_.next().text == "entry";
    if (reader_.peek().is('(')) read_parameters(function_.results);
    function_.place = reader_.peek().place;
    function_.name = reader_.expect_word("the name of a function");
    if (reader_.peek().is('(')) read_parameters(function_.parameters);
    while (reader_.peek().kind == Token::Kind::dotted) read_performance_directive();
  }

  void read_body() {
    function_.is_defined = true;
    reader_.expect('{', "at the beginning of a body");
    while (!names_.closed()) read_item();
  }

 private:
  void read_parameters(std::vector<std::uint32_t>& list) {
    reader_.expect('(', "before parameters");
    if (reader_.accept(')')) return;
    do {
      if (reader_.accept_dotted("reg")) {
        const Type type = read_register_type();
        const Place place = reader_.peek().place;
        list.push_back(kRegisterParameter | names_.add_register(reader_.expect_word("the name of a register"), type, place));
      } else {
        std::vector<Variable> one;
        read_variables(reader_, Linkage::internal, one);
        if (one.front().space != StateSpace::param)
          reader_.fail(one.front().place, "a parameter is in no .param space", "declare it as .param or .reg");
        list.push_back(names_.add_variable(std::move(one.front())));
      }
    } while (reader_.accept(','));
    reader_.expect(')', "behind parameters");
  }

  void read_performance_directive() {
    const Token& token = reader_.next();
    constexpr std::uint64_t kMost = 1 << 20;
    if (token.text == "maxntid")
      function_.most_threads = read_dimensions("a number of threads");
    else if (token.text == "reqntid")
      function_.required_threads = read_dimensions("a number of threads");
    else if (token.text == "reqnctapercluster")
      function_.required_cluster = read_dimensions("a number of CTAs");
    else if (token.text == "minnctapersm")
      function_.least_ctas_per_sm = static_cast<std::uint32_t>(reader_.expect_integer("a count of CTAs", kMost));
    else if (token.text == "maxnreg")
      function_.most_registers = static_cast<std::uint32_t>(reader_.expect_integer("a count of registers", kMost));
    else if (token.text == "maxclusterrank" || token.text == "maxnctapersm")
      reader_.expect_integer("a count of CTAs", kMost);
    else if (token.text == "pragma")
      skip_statement();
    else if (token.text != "noreturn" && token.text != "unique" && token.text != "explicitcluster")
      reader_.fail(
          token.place, "unknown directive ." + std::string(token.text) + " of a function",
          "remove it; .maxntid, .reqntid, .minnctapersm, .maxnreg, .reqnctapercluster, .explicitcluster, .maxclusterrank, .noreturn "
          "and .pragma are read");
  }

  Dim3 read_dimensions(const char* what) {
    constexpr std::uint64_t kMost = 1 << 20;
    Dim3 size{1, 1, 1};
    size.x = static_cast<std::uint32_t>(reader_.expect_integer(what, kMost));
    if (reader_.accept(',')) size.y = static_cast<std::uint32_t>(reader_.expect_integer(what, kMost));
    if (reader_.accept(',')) size.z = static_cast<std::uint32_t>(reader_.expect_integer(what, kMost));
    return size;
  }

  Type read_register_type() {
    if (reader_.accept_dotted("v2") || reader_.accept_dotted("v4"))
      reader_.fail(reader_.peek().place, "vector registers are not supported", "use one register per element");
    const auto type = reader_.peek().kind == Token::Kind::dotted ? type_named(reader_.peek().text) : std::nullopt;
    if (!type || *type == Type::b128) reader_.unexpected("the type of a register, such as .b32 or .pred");
    reader_.next();
    return *type;
  }

  void read_registers() {
    const Type type = read_register_type();
    do {
      const Place place = reader_.peek().place;
      const std::string_view name = reader_.expect_word("the name of a register");
      if (reader_.accept('<')) {
        const auto count = reader_.expect_integer("a count of registers", kMostRegisters);
        reader_.expect('>', "behind the count of registers");
        names_.add_range(name, static_cast<std::uint32_t>(count), type, place);
      } else {
        names_.add_register(name, type, place);
      }
    } while (reader_.accept(','));
    reader_.expect(';', "behind registers");
  }

  void read_loc() {
    const auto file = static_cast<std::uint32_t>(reader_.expect_integer("the number of a file", 1u << 20));
    const auto line = static_cast<std::uint32_t>(reader_.expect_integer("a line", 1u << 30));
    reader_.expect_integer("a column", 1u << 30);
    // An inlined function follows as `, function_name label, inlined_at file line column`: the line where it is inlined is the user's.
    SourceLine at{file, line};
    while (reader_.accept(',')) {
      const std::string_view word = reader_.expect_word("function_name or inlined_at");
      if (word == "inlined_at") {
        at.file = static_cast<std::uint32_t>(reader_.expect_integer("the number of a file", 1u << 20));
        at.line = static_cast<std::uint32_t>(reader_.expect_integer("a line", 1u << 30));
        reader_.expect_integer("a column", 1u << 30);
      } else {
        reader_.expect_word("a label");
        if (reader_.accept('+')) reader_.expect_integer("an offset", 1u << 30);
      }
    }
    if (at.line != 0) source_ = at;  // line 0: the compiler names none
    if (function_.source.line == 0) function_.source = source_;
  }

  void skip_statement() {
    while (!reader_.at_end() && !reader_.accept(';')) reader_.next();
  }

  /// `.pragma "wharf cluster 2 1 1";` means .reqnctapercluster, which compilers cannot write into a body. Others have no effect.
  void read_pragma() {
    const Token token = reader_.peek();
    skip_statement();
    constexpr std::string_view kCluster = "wharf cluster ";
    if (token.kind != Token::Kind::string || token.text.substr(0, kCluster.size()) != kCluster) return;
    const std::string text(token.text.substr(kCluster.size()));
    Dim3& size = function_.required_cluster;
    int end = 0;
    if (std::sscanf(text.c_str(), "%4u %4u %4u%n", &size.x, &size.y, &size.z, &end) != 3 || static_cast<std::size_t>(end) != text.size() ||
        size.count() == 0)
      reader_.fail(token.place, "the size of a cluster is not three numbers above 0", "write .pragma \"wharf cluster 2 1 1\";");
  }

  void read_directive() {
    const std::string_view word = reader_.peek().text;
    if (word == "reg") {
      reader_.next();
      read_registers();
    } else if (word == "loc") {
      reader_.next();
      read_loc();
    } else if (word == "pragma") {
      reader_.next();
      read_pragma();
    } else {
      const Linkage linkage = read_linkage(reader_);
      std::vector<Variable> variables;
      read_variables(reader_, linkage, variables);
      reader_.expect(';', "behind a variable");
      for (Variable& variable : variables) names_.add_variable(std::move(variable));
    }
  }

  /// `label: .branchtargets a, b;` or `label: .callprototype ...;`
  void read_labelled_directive(std::string_view label) {
    const Place place = reader_.peek().place;
    const std::string_view word = reader_.next().text;
    if (word == "branchtargets") {
      std::vector<std::string_view>& targets = function_.branch_targets[label];
      do targets.push_back(reader_.expect_word("a label"));
      while (reader_.accept(','));
      reader_.expect(';', "behind .branchtargets");
    } else if (word == "callprototype" || word == "calltargets") {
      skip_statement();
    } else {
      reader_.fail(place, "unknown directive ." + std::string(word) + " behind a label",
                   "expected .branchtargets, .calltargets or .callprototype");
    }
  }

  void read_item() {
    const Token& token = reader_.peek();
    if (token.kind == Token::Kind::end) reader_.fail(function_.place, "the body has no end", "close it with }");
    if (reader_.accept(';')) return;
    if (reader_.accept('{')) return names_.open(token.place, kMostBlocks);
    if (reader_.accept('}')) return names_.close();
    if (token.kind == Token::Kind::dotted) return read_directive();
    if (token.kind == Token::Kind::word && reader_.peek(1).is(':')) {
      const std::string_view label = reader_.next().text;
      reader_.next();
      const std::string_view next = reader_.peek().kind == Token::Kind::dotted ? reader_.peek().text : std::string_view{};
      if (next == "branchtargets" || next == "callprototype" || next == "calltargets") return read_labelled_directive(label);
      return names_.add_label(label, token.place);
    }
    Statement statement = read_statement(reader_, names_);
    statement.source = source_;
    std::optional<Statement> before = fence_before(statement), behind = fence_behind(statement);
    if (before) function_.statements.push_back(*std::move(before));
    function_.statements.push_back(std::move(statement));
    if (behind) function_.statements.push_back(*std::move(behind));
  }

  TokenReader& reader_;
  Function& function_;
  Names names_;
  SourceLine source_;
};

}  // namespace

void read_function(TokenReader& reader, Linkage linkage, std::vector<Function>& functions) {
  Function function;
  function.linkage = linkage;
  FunctionParser parser(reader, function);
  parser.read_header();
  if (!reader.accept(';')) parser.read_body();
  functions.push_back(std::move(function));
}

}  // namespace wharf::ptx

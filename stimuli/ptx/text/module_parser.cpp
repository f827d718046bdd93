// Parses the top level of a module: directives, variables and functions.
#include <charconv>

#include "stimuli/ptx/text/function_parser.h"
#include "stimuli/ptx/text/syntax.h"
#include "stimuli/ptx/text/token_reader.h"
#include "stimuli/ptx/text/variable_parser.h"

namespace wharf::ptx {

namespace {

class ModuleParser {
 public:
  explicit ModuleParser(SourceText source)
      : source_(std::make_shared<const SourceText>(std::move(source))), reader_(*source_, tokenize(*source_)) {
    module_.source = source_;
  }

  Module run() {
    if (reader_.peek().kind != Token::Kind::dotted || reader_.peek().text != "version")
      reader_.fail(reader_.peek().place, "the text does not begin with .version", "PTX begins with a line such as `.version 7.2`");
    while (!reader_.at_end()) declaration();
    return std::move(module_);
  }

 private:
  void declaration() {
    if (reader_.accept(';')) return;
    const Token& token = reader_.peek();
    if (token.kind != Token::Kind::dotted) reader_.unexpected("a directive such as .visible, .global, .func or .entry");
    const std::string_view word = token.text;
    if (word == "version") return version();
    if (word == "target") return target();
    if (word == "address_size") return address_size();
    if (word == "file") return file();
    if (word == "section") return section();
    if (word == "loc") return skip_loc();
    if (word == "pragma" || word == "alias") return skip_statement();
    const Linkage linkage = read_linkage(reader_);
    if (reader_.peek().kind == Token::Kind::dotted && (reader_.peek().text == "entry" || reader_.peek().text == "func"))
      return read_function(reader_, linkage, module_.functions);
    if (reader_.peek().kind != Token::Kind::dotted || (!space_named(reader_.peek().text) && reader_.peek().text != "tex"))
      reader_.fail(reader_.peek().place, "unknown directive " + quoted(reader_.peek().text),
                   "expected a declaration of a variable or a function");
    read_variables(reader_, linkage, module_.variables);
    reader_.expect(';', "behind a variable");
  }

  void version() {
    reader_.next();
    const Token number = reader_.next();
    if (number.kind != Token::Kind::float64) reader_.fail(number.place, "the version is not a number", "write it as 7.2");
    const int major = static_cast<int>(number.text.front() - '0');
    if (number.text.size() < 3 || number.text[1] != '.' || major < 1 || major > 9)
      reader_.fail(number.place, "PTX version " + std::string(number.text) + " is not supported", "use 1.4 to 9.x");
  }

  void target() {
    reader_.next();
    const std::string_view name = reader_.expect_word("a target such as sm_70");
    constexpr std::string_view kPrefix = "sm_";
    if (name.substr(0, kPrefix.size()) == kPrefix) std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), module_.target);
    while (reader_.accept(',')) reader_.expect_word("a target such as sm_70");
  }

  void address_size() {
    reader_.next();
    const Place place = reader_.peek().place;
    if (reader_.expect_integer("32 or 64", 1024) != 64) reader_.fail(place, "addresses of 32 bits are not supported", "compile with -m64");
  }

  void file() {
    reader_.next();
    const auto number = static_cast<std::uint32_t>(reader_.expect_integer("the number of a file", 1u << 20));
    const Token name = reader_.next();
    if (name.kind != Token::Kind::string) reader_.fail(name.place, "a file has no name", "write .file 1 \"app.cu\"");
    module_.files[number] = std::string(name.text);
    // The time and the size of the file may follow.
    while (reader_.accept(',')) reader_.next();
  }

  /// Debug information, which says nothing about execution.
  void section() {
    while (!reader_.at_end() && !reader_.peek().is('{')) reader_.next();
    const Place begin = reader_.peek().place;
    unsigned depth = 0;
    do {
      if (reader_.at_end()) reader_.fail(begin, "the section has no end", "close it with }");
      const Token& token = reader_.next();
      if (token.is('{')) ++depth;
      if (token.is('}')) --depth;
    } while (depth != 0);
  }

  void skip_loc() {
    reader_.next();
    while (reader_.peek().kind == Token::Kind::integer) reader_.next();
  }

  void skip_statement() {
    while (!reader_.at_end() && !reader_.accept(';')) reader_.next();
  }

  std::shared_ptr<const SourceText> source_;
  TokenReader reader_;
  Module module_;
};

}  // namespace

Module parse_module(SourceText source) { return ModuleParser(std::move(source)).run(); }

}  // namespace wharf::ptx

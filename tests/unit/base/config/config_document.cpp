// The accepted form of a YAML file: config/document.h.

#include <catch2/catch.hpp>

#include "model/base/config/tree/document.h"
#include "tests/support/config_sample.h"

using namespace wharf;
using namespace wharf::config;
using test::error_of;
using test::sample_error;

namespace {

std::string document_error(const std::string& text) {
  return error_of([&] {
    Mistakes mistakes;
    parse_document(text, "f.yaml", mistakes);
    mistakes.throw_if_any();
  });
}

std::string file_error(const std::filesystem::path& path) {
  return error_of([&] {
    Mistakes mistakes;
    read_document(path, mistakes);
    mistakes.throw_if_any();
  });
}

std::string nested_lists(std::size_t levels) { return "a: " + std::string(levels, '[') + std::string(levels, ']') + "\n"; }

}  // namespace

TEST_CASE("every key and value knows its line and column counted from 1") {
  Mistakes mistakes;
  const Node root = parse_document("l1:\n  ways: 8\n  sizes: [1, 22]\n", "f.yaml", mistakes);
  REQUIRE(mistakes.empty());
  const Node& l1 = *root.find("l1");
  CHECK(to_string(l1.key_position()) == "f.yaml:1:1");
  CHECK(to_string(l1.find("ways")->key_position()) == "f.yaml:2:3");
  CHECK(to_string(l1.find("ways")->position()) == "f.yaml:2:9");
  CHECK(to_string(l1.find("sizes")->children[1].position()) == "f.yaml:3:14");
}

TEST_CASE("children keep the order of the file and a mapping finds them by key") {
  Mistakes mistakes;
  const Node root = parse_document("z: 1\na: 2\n", "f.yaml", mistakes);
  REQUIRE(root.children.size() == 2);
  CHECK(root.children[0].key == "z");
  CHECK(root.children[1].text == "2");
  CHECK(root.find("b") == nullptr);
}

TEST_CASE("each duplicate key is reported with the line of the first") {
  CHECK(document_error("a: 1\nb: {c: 1, c: 2}\na: 3\n") ==
        "f.yaml:2:11: duplicate key 'c', already on line 2; keep one\n"
        "f.yaml:3:1: duplicate key 'a', already on line 1; keep one");
}

TEST_CASE("invalid YAML is reported where the parser stopped") {
  CHECK_THAT(document_error("a: 1\n}\n"), Catch::StartsWith("f.yaml:2:1: not valid YAML: "));
  CHECK_THAT(document_error("a: [1, 2\n"), Catch::StartsWith("f.yaml:2:1: not valid YAML: "));
  const std::string tab = "not valid YAML: a tab in the indentation, which YAML forbids; write spaces";
  CHECK_THAT(document_error("a:\n\tb: 1\n"), Catch::StartsWith("f.yaml:2:1: " + tab));
  CHECK_THAT(document_error("a:\n  b: 1\n \tc: 1\n"), Catch::StartsWith("f.yaml:3:1: " + tab));
  CHECK_THAT(document_error("\ta: 1\nb: 2\n"), Catch::StartsWith("f.yaml:1:1: " + tab));
  CHECK_THAT(document_error("a: 1\n\t\nb: 2\n"), Catch::StartsWith("f.yaml:2:1: " + tab));
  CHECK_THAT(document_error("a: 1\n}\n\tb: 2\n"), Catch::StartsWith("f.yaml:2:1: not valid YAML: ") && !Catch::Contains("a tab"));
  CHECK_THAT(document_error("a: *unknown\n"), Catch::StartsWith("f.yaml:1:4: not valid YAML: "));
}

TEST_CASE("a root that is no mapping is refused") {
  CHECK_THAT(document_error(""), Catch::StartsWith("f.yaml:1:1: the file holds nothing; write"));
  CHECK_THAT(document_error("# only a comment\n"), Catch::StartsWith("f.yaml:1:1: the file holds nothing; write"));
  CHECK_THAT(document_error("- 1\n- 2\n"), Catch::StartsWith("f.yaml:1:1: the file holds a list; write"));
  CHECK_THAT(document_error("hello\n"), Catch::StartsWith("f.yaml:1:1: the file holds 'hello'; write"));
}

TEST_CASE("a second document, a tag and a key that is no word are refused") {
  CHECK_THAT(document_error("a: 1\n---\nb: 2\n"), Catch::StartsWith("f.yaml:2:1: a second document"));
  CHECK_THAT(document_error("a: !!int 3\n"), Catch::StartsWith("f.yaml:1:4: a YAML tag ('tag:yaml.org,2002:int')"));
  CHECK(document_error("? [a]\n: b\n") == "f.yaml:1:3: a key must be one word, not a list");
  CHECK(document_error("~: b\n") == "f.yaml:1:1: a key must be one word, not nothing");
}

TEST_CASE("nesting stops at 64 levels with the root counted") {
  CHECK(document_error(nested_lists(kDeepestNode - 1)) == "no error");
  CHECK(document_error(nested_lists(kDeepestNode)) == "f.yaml:1:67: nested deeper than 64 levels; is this a configuration?");
}

TEST_CASE("an alias stands for a copy of its anchor") {
  Mistakes mistakes;
  const Node root = parse_document("a: &x {b: 1}\nc: *x\n", "f.yaml", mistakes);
  REQUIRE(mistakes.empty());
  CHECK(root.find("c")->find("b")->text == "1");
  CHECK(to_string(root.find("c")->position()) == "f.yaml:2:4");
}

TEST_CASE("aliases that grow beyond ten thousand values or contain themselves are refused") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= 4; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [" + before;
    for (int copy = 1; copy < 10; ++copy) bomb += ", " + before;
    bomb += "]\n";
  }
  CHECK_THAT(document_error(bomb), Catch::Contains("aliases expand to more than 10000 values"));
  CHECK_THAT(document_error("a: &x [*x]\n"), Catch::StartsWith("f.yaml:1:8: an alias inside the value that it names"));
}

TEST_CASE("a chain of aliases cannot nest deeper than 64 levels") {
  std::string text = "a0: &a0 [1]\n";
  for (int i = 1; i <= 64; ++i) text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  CHECK_THAT(document_error(text), Catch::Contains("nested deeper than 64 levels"));
}

TEST_CASE("a file of more than twenty thousand values is refused") {
  std::string text = "a:\n";
  for (std::size_t i = 0; i <= kMostNodes; ++i) text += "- 1\n";
  CHECK_THAT(document_error(text), Catch::Contains("more than 20000 values"));
}

TEST_CASE("files that are missing, no files, too large or not text are refused by name") {
  const test::TemporaryFolder folder;
  CHECK(file_error(folder.path() / "none.yaml") == (folder.path() / "none.yaml").string() + ": no such file");
  CHECK_THAT(file_error(folder.path()), Catch::EndsWith(": is not a regular file; name a YAML file"));
  const std::string nul = folder.write("nul.yaml", std::string("a: 1\nb\0: 2\n", 11));
  CHECK(file_error(nul) == nul + ":2:2: a byte that is not UTF-8 text; is this a YAML file?");
  const std::string latin = folder.write("latin.yaml", "a: caf\xE9\n");
  CHECK_THAT(file_error(latin), Catch::StartsWith(latin + ":1:7: a byte that is not UTF-8 text"));
  const std::string large = folder.write("large.yaml", "a: 1\n#" + std::string(kMostFileBytes, 'x'));
  CHECK_THAT(file_error(large), Catch::StartsWith(large + ": is larger than 1 MB"));
}

TEST_CASE("merging puts mappings together and replaces lists and scalars") {
  Mistakes mistakes;
  Node base = parse_document("a: {b: 1, c: [1, 2]}\nd: 3\n", "base.yaml", mistakes);
  merge(base, parse_document("a: {c: [9], e: 5}\nd: 4\n", "over.yaml", mistakes));
  REQUIRE(mistakes.empty());
  const Node& a = *base.find("a");
  CHECK(to_string(a.find("b")->position()) == "base.yaml:1:8");
  REQUIRE(a.find("c")->children.size() == 1);
  CHECK(to_string(a.find("c")->position()) == "over.yaml:1:8");
  CHECK(a.find("e")->text == "5");
  CHECK(base.find("d")->text == "4");
}

TEST_CASE("more than a hundred mistakes are cut with a count of the rest") {
  Mistakes mistakes;
  for (unsigned line = 1; line <= 103; ++line) mistakes.add({"f.yaml", line, 1}, "wrong");
  const std::string text = error_of([&] { mistakes.throw_if_any(); });
  CHECK(std::count(text.begin(), text.end(), '\n') == 100);
  CHECK_THAT(text, Catch::EndsWith("f.yaml:100:1: wrong\n... and 3 more mistakes"));
}

TEST_CASE("mistakes come in order of file, line and column and the same one comes once") {
  Mistakes mistakes;
  mistakes.add({"g.yaml", 1, 1}, "e");
  mistakes.add({"f.yaml", 10, 1}, "d");
  mistakes.add({"f.yaml", 9, 12}, "c");
  mistakes.add({"f.yaml", 9, 2}, "b");
  mistakes.add({"f.yaml", 9, 2}, "b");
  CHECK(error_of([&] { mistakes.throw_if_any(); }) == "f.yaml:9:2: b\nf.yaml:9:12: c\nf.yaml:10:1: d\ng.yaml:1:1: e");
}

#include "tests/lint/findings/rules.h"

#include <catch2/catch.hpp>

#include "tests/lint/findings/house_rules.h"
#include "tests/lint/project_tree.h"

using namespace wharf::lint;

namespace {

const RuleBook& rules() {
  static const RuleBook kBook = read_rules(project());
  return kBook;
}

bool is_of_sources(const std::string& path) {
  return starts_with(path, "platforms/designs/") && (ends_with(path, "/claims.yaml") || path.find("/characteristics") != std::string::npos);
}

// The files to check. Files in which a section may be one of a publication are left out: claims give the place in their source, and a page
// of the rule book may name sections of its paper. The tests of these checks are left out because they use invented numbers.
Tree may_name_rules() {
  Tree tree;
  for (const SourceFile& file : project())
    if (!starts_with(file.path, "tests/lint/rules")) tree.push_back(file);
  return tree;
}
Tree may_name_sections() {
  Tree tree;
  for (const SourceFile& file : may_name_rules())
    if (!starts_with(file.path, "docs/rules/") && !starts_with(file.path, "docs/designs/") &&
        !starts_with(file.path, "platforms/claims/") && !is_of_sources(file.path) && file.path != "docs/bibliography.md")
      tree.push_back(file);
  return tree;
}

const Tree kPages = {{"docs/rules/one.md",
                      "# One\n\n## 1. First\n\n- **CM-1 Edges.** Text, and RS-7.\n- **CM-2, RS-3** (untested) Text.\n\n### 1.2 Second\n"},
                     {"docs/designs/two.md", "## 4 Third\n\n- **ATA-O5 Ports.** Text.\n"}};

}  // namespace

TEST_CASE("every rule that the project names stands in the rule book, once") {
  REQUIRE(rules().rules.size() >= 172);
  CHECK(rules().twice == Findings{});
  CHECK(each(may_name_rules(), [](const SourceFile& file) { return rule_findings(file, rules()); }) == Findings{});
}

TEST_CASE("every section that the project names stands on its page of the rule book") {
  CHECK(each(may_name_sections(), [](const SourceFile& file) { return section_findings(file, rules()); }) == Findings{});
}

TEST_CASE("every rule is named by a test or marked untested") {
  Tree tests;
  for (const SourceFile& file : may_name_rules())
    if (starts_with(file.path, "tests/")) tests.push_back(file);
  CHECK(untested_findings(rules(), tests) == Findings{});
}

TEST_CASE("the rule book is read: numbers, marks, sections") {
  const RuleBook book = read_rules(kPages);
  CHECK(book.rules.size() == 4);
  CHECK(book.rules.at("CM-1").line == 5);
  CHECK(!book.rules.at("CM-1").untested);
  CHECK((book.rules.at("CM-2").untested && book.rules.at("RS-3").untested));
  CHECK(book.rules.at("ATA-O5").page == "docs/designs/two.md");
  CHECK(book.pages.at("one").sections == std::set<std::string>{"1", "1.2"});
  CHECK(book.pages.at("two").sections == std::set<std::string>{"4"});
}

TEST_CASE("a rule that stands twice, and one that stands nowhere, is found") {
  Tree pages = kPages;
  pages.push_back({"docs/rules/zwei.md", "- **ATA-O5 Again.** Text.\n"});
  CHECK(read_rules(pages).twice == Findings{"docs/rules/zwei.md:1: ATA-O5 stands in docs/designs/two.md too"});
  CHECK(rule_findings({"a.h", "// CM-1\n// CM-9 and DC-L1\n"}, read_rules(kPages)) == Findings{"a.h:2: there is no rule CM-9"});
}

TEST_CASE("a section that its page has not, or that names no page, is found") {
  const auto found = [](const std::string& text) { return section_findings({"a.h", text}, read_rules(kPages)); };
  CHECK(found("one section 1.2, two section 4, one sections 1 and 1.2, the ONE paper, section 9") == Findings{});
  CHECK(found("one section 1.3") == Findings{"a.h:1: docs/rules/one.md has no section 1.3"});
  CHECK(found("one sections 1, 1.2 and 4") == Findings{"a.h:1: docs/rules/one.md has no section 4"});
  CHECK(found("\n(section 4)") == Findings{"a.h:2: section 4 of which page of rules?"});
}

TEST_CASE("a rule without test and mark, and a mark that is no longer true, is found") {
  CHECK(untested_findings(read_rules(kPages), {{"tests/a.cpp", "// CM-1, CM-2"}}) ==
        Findings{"docs/designs/two.md:3: no test names ATA-O5; add one, or mark it (untested)",
                 "docs/rules/one.md:6: CM-2 is marked (untested), but a test names it"});
}

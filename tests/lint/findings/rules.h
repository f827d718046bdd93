#pragma once
// The rule book, docs/rules and docs/designs: every rule number and section that the project names must exist there, and every rule must be
// tested or marked as untested.

#include <map>
#include <set>
#include <string>

#include "tests/lint/source_tree.h"

namespace wharf::lint {

struct RuleBook {
  struct Rule {
    std::string page;  // path
    std::size_t line = 0;
    bool untested = false;
  };
  struct Page {
    std::string path;
    std::set<std::string> sections;  // "6", "6.3"
  };
  std::map<std::string, Rule> rules;  // by number, such as CM-9 or ATA-O29
  std::map<std::string, Page> pages;  // by name without folder and ending
  Findings twice;                     // rules that are defined in two places
};

/// A rule is a list item that begins with its number in bold, or with several: `- **RS-39, SL-9 Pending line.** ...`; `(untested)` may
/// follow the bold words. A section is a heading that begins with its number.
RuleBook read_rules(const Tree& tree);

/// Rule numbers that the book does not have.
Findings rule_findings(const SourceFile& file, const RuleBook& book);

/// References `<page> section N.M` to sections that the page does not have, and sections without a page.
Findings section_findings(const SourceFile& file, const RuleBook& book);

/// Rules without the mark that no test names, and rules with the mark that a test names.
Findings untested_findings(const RuleBook& book, const Tree& tests);

}  // namespace wharf::lint

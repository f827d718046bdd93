#include "tests/lint/findings/rules.h"

#include <filesystem>
#include <regex>

namespace wharf::lint {
namespace {

const std::regex& rule_number() {
  static const std::regex kNumber("\\b(?:CM-|RS-|SL-|DC-|ATA-O|CIAO-O)[0-9]+\\b");
  return kNumber;
}

std::set<std::string> numbers_in(const std::string& text) {
  return {std::sregex_token_iterator(text.begin(), text.end(), rule_number()), std::sregex_token_iterator()};
}

void read_rule(const std::string& line, std::size_t number, const SourceFile& page, RuleBook& book) {
  static const std::regex kRule("- \\*\\*([^*]+)\\*\\*(.*)");
  std::smatch match;
  if (!std::regex_match(line, match, kRule)) return;
  const bool untested = starts_with(match[2].str(), " (untested)");
  for (const std::string& rule : numbers_in(match[1]))
    if (const auto [at, is_new] = book.rules.insert({rule, {page.path, number, untested}}); !is_new)
      book.twice.push_back(finding(page, number, rule + " stands in " + at->second.page + " too"));
}

}  // namespace

RuleBook read_rules(const Tree& tree) {
  static const std::regex kHeading("##+ ([0-9]+(?:\\.[0-9]+)*)\\.? .*");
  RuleBook book;
  for (const SourceFile& page : select(tree, {"docs/rules/", "docs/designs/"}, {".md"})) {
    RuleBook::Page& read = book.pages[std::filesystem::path(page.path).stem().string()];
    read.path = page.path;
    std::size_t number = 0;
    for (const std::string_view text : lines_of(page.text)) {
      const std::string line(text);
      read_rule(line, ++number, page, book);
      if (std::smatch match; std::regex_match(line, match, kHeading)) read.sections.insert(match[1]);
    }
  }
  return book;
}

Findings rule_findings(const SourceFile& file, const RuleBook& book) {
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const std::string& rule : numbers_in(std::string(line)))
      if (book.rules.count(rule) == 0) findings.push_back(finding(file, number, "there is no rule " + rule));
  }
  return findings;
}

Findings section_findings(const SourceFile& file, const RuleBook& book) {
  static const std::regex kReference(
      "([A-Za-z0-9_.,]+ )?[Ss]ections? ([0-9]+(?:\\.[0-9]+)*(?:(?:, | and | to |, and )[0-9]+(?:\\.[0-9]+)*)*)");
  static const std::regex kSection("[0-9]+(?:\\.[0-9]+)*");
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view text : lines_of(file.text)) {
    ++number;
    const std::string line(text);
    for (std::sregex_iterator reference(line.begin(), line.end(), kReference), end; reference != end; ++reference) {
      std::string page = (*reference)[1];
      if (!page.empty()) page.pop_back();
      if (page == "paper,") continue;
      const auto at = book.pages.find(page);
      if (at == book.pages.end()) {
        findings.push_back(finding(file, number, "section " + (*reference)[2].str() + " of which page of rules?"));
        continue;
      }
      const std::string sections = (*reference)[2];
      for (std::sregex_token_iterator section(sections.begin(), sections.end(), kSection), none; section != none; ++section)
        if (at->second.sections.count(*section) == 0)
          findings.push_back(finding(file, number, at->second.path + " has no section " + section->str()));
    }
  }
  return findings;
}

Findings untested_findings(const RuleBook& book, const Tree& tests) {
  std::set<std::string> named;
  for (const SourceFile& test : tests) named.merge(numbers_in(test.text));
  Findings findings;
  for (const auto& [number, rule] : book.rules) {
    const std::string where = rule.page + ":" + std::to_string(rule.line) + ": ";
    if (named.count(number) == 0 && !rule.untested)
      findings.push_back(where + "no test names " + number + "; add one, or mark it (untested)");
    if (named.count(number) != 0 && rule.untested) findings.push_back(where + number + " is marked (untested), but a test names it");
  }
  return findings;
}

}  // namespace wharf::lint

#include "tests/lint/findings/deviations.h"

#include <algorithm>
#include <regex>

namespace wharf::lint {
namespace {

constexpr std::string_view kNoRule = "\u2013";  // a dash

std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  for (std::size_t at = 1; at < row.size();) {
    const std::size_t end = std::min(row.find('|', at), row.size());
    std::string cell(row.substr(at, end - at));
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(std::move(cell));
    at = end + 1;
  }
  return cells;
}

bool names_a_rule(const std::string& cell, const RuleBook& book, const std::set<std::string>& metrics) {
  if (cell == kNoRule || cell == "trace format" || metrics.count(cell) != 0) return true;
  static const std::regex kPlace("([a-z0-9_]+) (?:sections?|appendix) ");
  if (std::smatch place; std::regex_search(cell, place, kPlace)) return book.pages.count(place[1]) != 0;
  return std::any_of(book.rules.begin(), book.rules.end(), [&](const auto& rule) { return has_word(cell, rule.first); });
}

bool is_status(const std::string& cell) {
  static const std::regex kStatus("(kept|open|done|with its first user|the others with their first users)\\b.*");
  return std::regex_match(cell, kStatus);
}

}  // namespace

Findings deviation_findings(const SourceFile& document, const RuleBook& book, const std::set<std::string>& metrics) {
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(document.text)) {
    ++number;
    if (!starts_with(line, "| ") || starts_with(line, "| rule |")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 4) {
      findings.push_back(finding(document, number, std::to_string(cells.size()) + " columns in place of 4"));
      continue;
    }
    if (!names_a_rule(cells[0], book, metrics)) findings.push_back(finding(document, number, "no rule, section or metric: " + cells[0]));
    if (!is_status(cells[3])) findings.push_back(finding(document, number, "no status: " + cells[3]));
  }
  return findings;
}

}  // namespace wharf::lint

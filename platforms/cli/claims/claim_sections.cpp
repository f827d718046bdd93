#include "platforms/cli/claims/claim_sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "model/base/text.h"
#include "platforms/cli/claims/claim_report.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {
namespace {

constexpr const char* kAnew = "Measured anew by ";

struct TableForm {
  ClaimTable table;
  const char *heading, *head;
};
constexpr TableForm kTables[] = {
    {ClaimTable::headline, "### Headline claims",
     "| claim | what it says | published | measured | named only | sign | size | difference |\n|---|---|---|---|---|---|---|---|\n"},
    {ClaimTable::mechanism, "### Mechanism claims",
     "| claim | what it says | published | measured | named only | sign | size | difference |\n|---|---|---|---|---|---|---|---|\n"},
    {ClaimTable::not_computed, "### Not computed",
     "| claim | what it says | published | tier | kind | why it is not computed |\n|---|---|---|---|---|---|\n"},
};

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

std::string up_to(std::string_view text, std::string_view ends) { return std::string(text.substr(0, text.find_first_of(ends))); }

/// The claims that a "Measured anew by" line names.
std::vector<std::string> named_in(const std::string& line) {
  const std::size_t end = line.rfind(" ("), colon = line.rfind(": ", end);
  if (!starts_with(line, kAnew) || colon == std::string::npos) return {};
  std::string ids = line.substr(colon + 2, end - colon - 2);
  ids.erase(std::remove(ids.begin(), ids.end(), ' '), ids.end());
  return split_list(ids);
}

void parse_claim_line(const std::string& line, ClaimTable table, std::vector<ClaimLines>& claims) {
  if (starts_with(line, "| claim |") || starts_with(line, "|---")) return;
  if (starts_with(line, "| ")) {
    claims.push_back({up_to(line.substr(2), " "), table, line + '\n', {}});
  } else if (starts_with(line, "- ")) {
    const std::string id = up_to(line.substr(2), ":");
    const auto is_it = [&](const ClaimLines& claim) { return claim.id == id; };
    const auto found = std::find_if(claims.begin(), claims.end(), is_it);
    if (found != claims.end()) found->how = line + '\n';
  }
}

}  // namespace

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] != '|' || row[i - 1] == '\\') {
      cell += row[i];
      continue;
    }
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
    cell.clear();
  }
  return cells;
}

std::string title_of(const ClaimSection& section) {
  const std::string mark = "## ";
  const std::size_t begin = section.heading.find(mark) + mark.size();
  return section.heading.substr(begin, section.heading.find('\n', begin) - begin);
}

std::string source_of(const ClaimSection& section) {
  std::string source = title_of(section);
  source.erase(std::remove(source.begin(), source.end(), '\\'), source.end());
  return source;
}

ClaimSection& section_of(std::vector<ClaimSection>& sections, const std::string& source) {
  const std::string heading = fmt::format("\n## {}\n", escape_markdown(source));
  for (ClaimSection& section : sections)
    if (section.heading == heading) return section;
  sections.push_back({heading, {}});
  return sections.back();
}

std::vector<std::string> programs_of(const std::string& text) {
  std::vector<std::string> programs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string mark = ", commit ";
    const std::size_t at = line.find(mark);
    if (!starts_with(line, "Measured ") || at == std::string::npos) continue;
    const std::string program = up_to(line.substr(at + mark.size()), ":, ");
    if (std::find(programs.begin(), programs.end(), program) == programs.end()) programs.push_back(program);
  }
  return programs;
}

std::string programs_note(const std::vector<ClaimSection>& sections) {
  std::vector<std::string> programs;
  std::string list;
  bool changed = false;
  for (const ClaimSection& section : sections) {
    for (const std::string& program : programs_of(section.text)) {
      list += fmt::format("{}{} of {}", list.empty() ? "" : ", ", title_of(section), program);
      changed = changed || program.find('+') != std::string::npos;
      if (std::find(programs.begin(), programs.end(), program) == programs.end()) programs.push_back(program);
    }
  }
  std::string note;
  if (programs.size() > 1) note = fmt::format("\n**The sections are of different commits:** {}. The whole command measures all with one.\n", list);
  if (changed) note += "\n**The program had changes that no commit has** (+changes).\n";
  return note;
}

bool has_present_form(const ClaimSection& section) {
  for (const TableForm& form : kTables) {
    const std::string heading = std::string(form.heading) + "\n\n";
    const std::size_t at = section.text.find(heading);
    if (at != std::string::npos && section.text.find(form.head, at) != at + heading.size()) return false;
  }
  return true;
}

std::vector<ClaimSection> sections_of(const std::string& report) {
  const std::string mark = "\n## ";
  std::vector<ClaimSection> sections;
  for (std::size_t at = report.find(mark); at != std::string::npos;) {
    const std::size_t end_of_heading = report.find('\n', at + 1) + 1;
    const std::size_t next = report.find(mark, end_of_heading - 1);
    sections.push_back({report.substr(at, end_of_heading - at), report.substr(end_of_heading, next - end_of_heading)});
    at = next;
  }
  return sections;
}

ClaimSectionBody parse_section(const std::string& text) {
  ClaimSectionBody body;
  ClaimTable table = ClaimTable::headline;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (starts_with(line, "Measured ") && line != "Measured as:") body.measured_by.push_back(line);
    for (const TableForm& form : kTables)
      if (line == form.heading) table = form.table;
    parse_claim_line(line, table, body.claims);
  }
  return body;
}

std::string section_text(const ClaimSectionBody& body) {
  std::string text;
  for (const std::string& line : body.measured_by) text += '\n' + line + '\n';
  for (const TableForm& form : kTables) {
    std::string rows, hows;
    for (const ClaimLines& claim : body.claims) {
      if (claim.table != form.table) continue;
      rows += claim.row;
      hows += claim.how;
    }
    if (rows.empty()) continue;
    text += fmt::format("\n{}\n\n{}{}", form.heading, form.head, rows);
    if (form.table != ClaimTable::not_computed) text += "\nMeasured as:\n\n" + hows;
  }
  return text;
}

void replace_claims(ClaimSectionBody& body, const std::vector<ClaimLines>& anew, const std::string& measured_by) {
  const auto is_anew = [&](const std::string& id) {
    return std::any_of(anew.begin(), anew.end(), [&](const ClaimLines& claim) { return claim.id == id; });
  };
  auto& lines = body.measured_by;
  const auto is_outdated = [&](const std::string& line) {
    const std::vector<std::string> named = named_in(line);
    return !named.empty() && std::all_of(named.begin(), named.end(), is_anew);
  };
  lines.erase(std::remove_if(lines.begin(), lines.end(), is_outdated), lines.end());
  lines.push_back(measured_by);
  for (const ClaimLines& claim : anew) {
    auto& claims = body.claims;
    const auto same = std::find_if(claims.begin(), claims.end(), [&](const ClaimLines& other) { return other.id == claim.id; });
    if (same != claims.end() && same->table == claim.table) {
      *same = claim;
      continue;
    }
    if (same != claims.end()) claims.erase(same);
    const auto comes_after = [&](const ClaimLines& other) { return other.table == claim.table && other.id > claim.id; };
    claims.insert(std::find_if(claims.begin(), claims.end(), comes_after), claim);
  }
  std::vector<std::string> named;
  for (const std::string& line : lines)
    for (std::string& id : named_in(line)) named.push_back(std::move(id));
  const auto is_named = [&](const ClaimLines& claim) { return std::find(named.begin(), named.end(), claim.id) != named.end(); };
  if (!std::all_of(body.claims.begin(), body.claims.end(), is_named)) return;
  lines.erase(std::remove_if(lines.begin(), lines.end(), [](const std::string& line) { return !starts_with(line, kAnew); }), lines.end());
}

std::string measured_anew(const std::string& how, const std::vector<ClaimLines>& claims, const std::string& summary) {
  std::vector<std::string> ids;
  for (const ClaimLines& claim : claims) ids.push_back(claim.id);
  return fmt::format("{}{}: {} ({}).", kAnew, how, join(ids, ids.size()), summary);
}

}  // namespace wharf::cli

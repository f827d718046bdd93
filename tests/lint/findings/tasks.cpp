#include "tests/lint/findings/tasks.h"

#include <regex>
#include <set>

namespace wharf::lint {

Findings task_findings(const SourceFile& page, const Tree& sources) {
  static const std::regex kRow("\\| `([^`]+)` \\| (.*) \\|"), kFile("`([^`]+)`");
  Findings findings;
  std::size_t number = 0, rows = 0;
  for (const std::string_view text : lines_of(page.text)) {
    ++number;
    const std::string line(text);
    std::smatch row;
    if (!std::regex_match(line, row, kRow)) continue;
    ++rows;
    const std::string name = row[1], files = row[2];
    std::set<std::string> said, found;
    for (std::sregex_iterator file(files.begin(), files.end(), kFile), end; file != end; ++file) said.insert((*file)[1]);
    for (const SourceFile& source : sources)
      if (source.text.find(name) != std::string::npos) found.insert(source.path);
    for (const std::string& path : found)
      if (said.count(path) == 0) findings.push_back(finding(page, number, path + " has " + name + " too"));
    for (const std::string& path : said)
      if (found.count(path) == 0) findings.push_back(finding(page, number, path + " has no " + name));
  }
  if (rows == 0) findings.push_back(finding(page, 1, "no row names a file"));
  return findings;
}

}  // namespace wharf::lint

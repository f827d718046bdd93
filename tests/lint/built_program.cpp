#include "tests/lint/built_program.h"

#include <array>
#include <cstdio>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "test_paths.h"
#include "tests/lint/findings/docs.h"

namespace wharf::lint {
namespace {

/// The first word of each line of `text`.
void add_first_words(const std::string& text, std::set<std::string>& names) {
  std::istringstream lines(text);
  for (std::string line, word; std::getline(lines, line);)
    if (std::istringstream(line) >> word) names.insert(word);
}

const std::string& table_of_keys() {
  static const std::string kTable = output_of("describe --markdown");
  return kTable;
}

}  // namespace

std::string output_of(const std::string& arguments) {
  const std::string command = std::string("'") + WHARF_PROGRAM + "' " + arguments + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 4096> part;
  for (std::size_t got; (got = fread(part.data(), 1, part.size(), pipe)) != 0;) text.append(part.data(), got);
  pclose(pipe);
  return text;
}

const std::set<std::string>& names_of_program() {
  static const std::set<std::string> kNames = [] {
    std::set<std::string> names;
    for (const char* platform : {"private", "remote_sharing", "shared_l1", "dc_l1", "ata", "loscache", "morpheus", "ciao"})
      add_first_words(output_of(std::string("list metrics --config ") + platform), names);
    for (const Quoted& quoted : quoted_in(table_of_keys())) names.insert(quoted.text);
    return names;
  }();
  return kNames;
}

const std::map<std::string, std::set<std::string>>& values_of_program() {
  static const std::map<std::string, std::set<std::string>> kValues = [] {
    static const std::regex kRow("\\| `([^`]+)` \\|.* \\| one of: ([^|]+) \\|.*");
    static const std::regex kWord("[^, ]+");
    std::map<std::string, std::set<std::string>> values;
    for (const std::string_view line : lines_of(table_of_keys())) {
      const std::string row(line);
      std::smatch match;
      if (!std::regex_match(row, match, kRow)) continue;
      const std::string words = match[2];
      values[match[1]] = {std::sregex_token_iterator(words.begin(), words.end(), kWord), std::sregex_token_iterator()};
    }
    return values;
  }();
  return kValues;
}

const std::set<std::string>& workloads_of_program() {
  static const std::set<std::string> kWorkloads = [] {
    std::set<std::string> workloads;
    add_first_words(output_of("list stimuli"), workloads);
    return workloads;
  }();
  return kWorkloads;
}

}  // namespace wharf::lint

#include "tests/lint/source_tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "test_paths.h"

namespace wharf::lint {
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error(path.string() + " cannot be read");
  return text.str();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Walks over source text and blanks everything that is not code.
class Stripper {
 public:
  explicit Stripper(std::string_view text) : out_(text) {}

  std::string strip() {
    while (at_ < out_.size()) {
      if (starts("//"))
        blank_until("\n", 0);
      else if (starts("/*"))
        blank_until("*/", 2);
      else if (starts("R\"") && (at_ == 0 || !is_word(out_[at_ - 1])))
        raw_string();
      else if (out_[at_] == '"')
        quoted('"');
      else if (out_[at_] == '\'' && (at_ == 0 || !is_word(out_[at_ - 1])))
        quoted('\'');  // not the digit separator in 10'000
      else
        ++at_;
    }
    return out_;
  }

 private:
  bool starts(std::string_view what) const { return std::string_view(out_).substr(at_, what.size()) == what; }
  void blank_to(std::size_t end) {
    for (end = std::min(end, out_.size()); at_ < end; ++at_)
      if (out_[at_] != '\n') out_[at_] = ' ';
  }
  void blank_until(std::string_view end, std::size_t beyond) {
    const std::size_t found = out_.find(end, at_ + beyond);
    blank_to(found == std::string::npos ? out_.size() : found + beyond);
  }
  void raw_string() {
    const std::size_t open = out_.find('(', at_);
    if (open == std::string::npos) return blank_to(out_.size());
    const std::string end = ")" + out_.substr(at_ + 2, open - at_ - 2) + "\"";
    const std::size_t found = out_.find(end, open);
    blank_to(found == std::string::npos ? out_.size() : found + end.size());
  }
  void quoted(char mark) {
    std::size_t end = at_ + 1;
    while (end < out_.size() && out_[end] != mark && out_[end] != '\n') end += out_[end] == '\\' ? 2 : 1;
    ++at_;
    blank_to(end);
    if (at_ < out_.size() && out_[at_] == mark) ++at_;
  }

  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

fs::path project_root() { return WHARF_SOURCE_DIR; }

Tree read_project() {
  Tree tree;
  const auto add = [&tree](const fs::path& path) { tree.push_back({fs::relative(path, project_root()).generic_string(), read(path)}); };
  for (const char* folder : {"model", "platforms", "policies", "stimuli", "tests", "docs", ".ci"}) {
    for (auto entry = fs::recursive_directory_iterator(project_root() / folder); entry != fs::recursive_directory_iterator(); ++entry) {
      if (entry->is_directory() && (entry->path() == project_root() / "tests" / "data" || entry->path().filename() == "__pycache__"))
        entry.disable_recursion_pending();
      if (entry->is_regular_file()) add(entry->path());
    }
  }
  for (const char* file : {"wharf", "CMakeLists.txt", "CMakePresets.json", "README.md"}) add(project_root() / file);
  std::sort(tree.begin(), tree.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return tree;
}

Tree select(const Tree& tree, const std::vector<std::string>& prefixes, const std::vector<std::string>& endings) {
  Tree chosen;
  for (const SourceFile& file : tree) {
    const auto starts = [&](const std::string& prefix) { return starts_with(file.path, prefix); };
    const auto ends = [&](const std::string& ending) { return ends_with(file.path, ending); };
    if (std::any_of(prefixes.begin(), prefixes.end(), starts) && std::any_of(endings.begin(), endings.end(), ends)) chosen.push_back(file);
  }
  return chosen;
}

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  std::size_t number = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    if (!starts_with(line, "#include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string_view::npos) continue;
    const bool quoted = line[open] == '"';
    const std::size_t close = line.find(quoted ? '"' : '>', open + 1);
    if (close != std::string_view::npos) includes.push_back({number, std::string(line.substr(open + 1, close - open - 1)), quoted});
  }
  return includes;
}

std::string finding(const SourceFile& file, std::size_t line, const std::string& what) {
  return file.path + ":" + std::to_string(line) + ": " + what;
}

std::string code_of(std::string_view text) { return Stripper(text).strip(); }

bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(line[at - 1])) && (end == line.size() || !is_word(line[end]))) return true;
  }
  return false;
}

}  // namespace wharf::lint

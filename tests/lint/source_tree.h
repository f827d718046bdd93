#pragma once
// The text of the project's files, for checks that read them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wharf::lint {

struct SourceFile {
  std::string path;  // relative to the project's root, with '/'
  std::string text;
};
using Tree = std::vector<SourceFile>;

/// Findings of a check, each `path:line: what is wrong`; empty if there are none.
using Findings = std::vector<std::string>;

std::filesystem::path project_root();

/// Every text file of the project except the recorded inputs in tests/data and build outputs, sorted by path.
Tree read_project();

/// The files whose path begins with one of `prefixes` and ends with one of `endings`.
Tree select(const Tree& tree, const std::vector<std::string>& prefixes, const std::vector<std::string>& endings);

bool starts_with(std::string_view text, std::string_view start);
bool ends_with(std::string_view text, std::string_view end);

std::vector<std::string_view> lines_of(std::string_view text);

struct Include {
  std::size_t line;
  std::string target;  // as written
  bool quoted;
};
/// The #include lines of a source file.
std::vector<Include> includes_of(std::string_view text);

std::string finding(const SourceFile& file, std::size_t line, const std::string& what);

/// The text without comments and without the contents of quotes. Lines keep their numbers.
std::string code_of(std::string_view text);

/// True if `line` has `word` as a whole word.
bool has_word(std::string_view line, std::string_view word);

}  // namespace wharf::lint

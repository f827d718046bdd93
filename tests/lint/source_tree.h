#pragma once
// The text of the project's files, for checks that read them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wharf::lint {

struct SourceFile {
  std::string path;  // from the project's root, with '/'
  std::string text;
};
using Tree = std::vector<SourceFile>;

/// Findings of a check, each `path:line: what is wrong`; empty where all is well.
using Findings = std::vector<std::string>;

std::filesystem::path project_root();

/// Every text file of the project but the recorded inputs in tests/data and what a build leaves, sorted by path.
Tree read_project();

/// Those whose path begins with one of `prefixes` and ends with one of `endings`.
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

/// The text without comments and without what stands in quotes; lines keep their numbers.
std::string code_of(std::string_view text);

/// `word` as a whole word in `line`.
bool has_word(std::string_view line, std::string_view word);

}  // namespace wharf::lint

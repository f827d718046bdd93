#pragma once
// One command's options, declared once: parsing, `--help` and did-you-mean all use the declaration.

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wharf::cli {

/// "; did you mean 'x'? ", or ". " where no candidate is near: the text between a wrong word and the rest of the message.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

/// Parses a whole number in [min, max]; otherwise throws InputError that names `what`.
std::uint64_t parse_count(const std::string& text, const std::string& what, std::uint64_t min, std::uint64_t max);

/// "a,b" -> {a, b}; empty parts are dropped. A comma within a stimulus's arguments ("gemm:n=256,m=64") does not split.
std::vector<std::string> split_list(const std::string& text);

/// The argument that has parse() print the declaration as JSON instead, for completion and the manual page.
inline constexpr const char* kDeclare = "--print-declaration";

class CommandLine {
 public:
  /// `usage` is the text after "usage: wharf ".
  CommandLine(std::string usage, std::string help);

  CommandLine& flag(const char* name, const char* help);
  CommandLine& value(const char* name, const char* meta, const char* help);
  CommandLine& values(const char* name, const char* meta, const char* help);  // may be repeated
  /// A file or folder that the command reads.
  CommandLine& input(const char* name, const char* meta, const char* help);
  CommandLine& inputs(const char* name, const char* meta, const char* help);  // may be repeated
  /// A file that the command writes: parse() checks that it can be written.
  CommandLine& output(const char* name, const char* help);
  /// The folder in which the command writes `files`, and perhaps more: parse() checks it and them. `preset` is the default of the option;
  /// empty if it has none, or one that the command itself checks.
  CommandLine& output_folder(const char* name, const char* help, const std::string& preset, std::vector<std::string> files = {});
  /// An option with a number and a file that the command writes, such as `--save-at KERNEL FILE`.
  CommandLine& count_and_output(const char* name, const char* meta, const char* help);
  /// Allows at most this many positional arguments.
  CommandLine& positionals(int most);

  /// Throws InputError for anything undeclared, and for an output that cannot be written. Returns false where `--help` (or kDeclare alone) was
  /// given and printed, so that the command is done.
  bool parse(const std::vector<std::string>& arguments, std::ostream& out);

  bool has(const std::string& name) const;
  /// `otherwise` where the option is not given and has no preset.
  std::string text(const std::string& name, const std::string& otherwise = {}) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// The values of a pair that was given.
  std::pair<std::string, std::string> texts_of_pair(const std::string& name) const;
  std::uint64_t count(const std::string& name, std::uint64_t otherwise, std::uint64_t min, std::uint64_t max) const;
  /// Throws InputError with `why` where both options are given.
  void exclude(const char* one, const char* other, const char* why) const;
  const std::vector<std::string>& positional() const { return positional_; }

 private:
  std::string declaration() const;
  std::vector<std::string> with_joined_pairs(const std::vector<std::string>& arguments) const;
  bool is_pair(const std::string& name) const;
  void require_outputs() const;
  [[noreturn]] void unknown_option(const std::string& name) const;

  /// An option that names files.
  struct PathOption {
    enum class Use : std::uint8_t { input, output, folder };
    Use use = Use::input;
    std::string preset;              // of a folder
    std::vector<std::string> files;  // in a folder
  };

  std::string usage_, help_;
  struct Options;                     // of Boost, whose headers would be most of what every command has to parse
  std::shared_ptr<Options> options_;  // copies of a declaration share it
  std::vector<std::string> positional_;
  std::vector<std::pair<std::string, std::string>> pairs_;  // name and meta
  std::map<std::string, PathOption> paths_;
  int most_positionals_ = 0;
};

}  // namespace wharf::cli

#pragma once
// The declarations of the commands: usage and options. Completion and the manual page are made from them alone.

#include <string>
#include <vector>

#include "platforms/cli/commands/commands.h"

namespace wharf::cli {

struct DeclaredOption {
  std::string name;  // "out"
  std::string meta;  // "DIR", or the words that it takes: "bar|json"; empty for a flag
  std::string help;
  std::string path;  // what it names: an "input", an "output", a "folder" for outputs; empty for no path
  bool repeats = false;
};

struct Declaration {
  std::string command, summary;  // as in the table of commands
  std::string usage, help;       // as `--help` prints them
  std::vector<DeclaredOption> options;
};

/// The declarations of all commands, in the order of the table.
std::vector<Declaration> all_declarations();

/// "a|b|c" -> {a, b, c}; empty for a text without a bar.
std::vector<std::string> choices_of(const std::string& meta);

}  // namespace wharf::cli

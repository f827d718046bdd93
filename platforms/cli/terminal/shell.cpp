#include "platforms/cli/terminal/shell.h"

#include "platforms/cli/plugins.h"

namespace wharf::cli {
namespace {

/// A process has one.
std::string& program_name() {
  static std::string name = "./wharf";
  return name;
}

}  // namespace

std::string shell_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string offered_command(std::vector<std::string> words) {
  words.insert(words.begin(), program_name());
  for (const LoadedPlugin& plugin : loaded_plugins()) words.insert(words.end(), {"--plugin", plugin.file});
  return shell_words(words);
}

void set_program_name(const std::string& name) { program_name() = name; }

}  // namespace wharf::cli

#include "platforms/cli/terminal/shell.h"

namespace wharf::cli {

std::string shell_word(const std::string& text) {
  constexpr const char* kHarmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@=,:+-./";
  if (!text.empty() && text.front() != '=' && text.find_first_not_of(kHarmless) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

}  // namespace wharf::cli

#include "model/base/files/shell_word.h"

namespace wharf {

std::string shell_word(const std::string& text) {
  constexpr const char* kHarmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@=,:+-./";
  if (!text.empty() && text.front() != '=' && text.find_first_not_of(kHarmless) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

}  // namespace wharf

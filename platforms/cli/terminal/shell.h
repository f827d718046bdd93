#pragma once
// Text for a shell to read.

#include <string>
#include <vector>

namespace wharf::cli {

/// `text` as one word of a POSIX shell: itself where every character is harmless, else in single quotes.
std::string shell_word(const std::string& text);
/// The words of a command, with spaces between.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace wharf::cli

#pragma once
// Quotes names of files for the commands that messages suggest.

#include <string>

namespace wharf {

/// `text` as one word of a POSIX shell: unchanged if every character is harmless, else in single quotes.
std::string shell_word(const std::string& text);

}  // namespace wharf

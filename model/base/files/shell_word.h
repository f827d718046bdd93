#pragma once
// Names of files in commands that a message offers.

#include <string>

namespace wharf {

/// `text` as one word of a POSIX shell: itself where every character is harmless, else in single quotes.
std::string shell_word(const std::string& text);

}  // namespace wharf

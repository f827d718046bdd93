#pragma once
// Text for a shell to read, and commands that messages offer.

#include <string>
#include <vector>

#include "model/base/files/shell_word.h"

namespace wharf::cli {

/// The words of a command, with spaces between.
std::string shell_words(const std::vector<std::string>& words);

/// A command of this program for a message to offer: as the user would paste it, with every word quoted and the plugins of this process.
std::string offered_command(std::vector<std::string> words);

/// The program's name in such commands: as the user has called it, or ./wharf.
void set_program_name(const std::string& name);

}  // namespace wharf::cli

#pragma once
// The stimuli of commands that run many: --suite NAME, or --stimuli A,B.

#include <string>
#include <vector>

#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

/// Without those that are named again; the order stays.
std::vector<std::string> without_repetitions(const std::vector<std::string>& names);

/// Those of the two options; without either those of the suite `otherwise`. Throws InputError for both options at once, and for none of a
/// name.
std::vector<std::string> chosen_stimuli(const CommandLine& arguments, const std::string& otherwise);

}  // namespace wharf::cli

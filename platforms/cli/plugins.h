#pragma once
// --plugin FILE: shared libraries that bring members of their own.

#include <string>
#include <vector>

#include "platforms/cli/commands/commands.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

struct LoadedPlugin {
  std::string file;         // as the user named it
  std::string fingerprint;  // of its bytes
};

/// CommandLine::parse for commands that read configurations or stimuli: with --plugin, whose files are loaded in the order of the user.
/// Throws InputError for what is no plugin, was built for another Wharf or fails to add what it has.
bool parse_with_plugins(CommandLine& arguments, const Context& context);

/// Every plugin of this process.
const std::vector<LoadedPlugin>& loaded_plugins();
/// Adds them to the inputs of a result.json.
void name_plugins(Json& inputs);

}  // namespace wharf::cli

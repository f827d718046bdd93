#pragma once
// Loads shared libraries that add members to families (--plugin FILE).

#include <string>
#include <vector>

#include "platforms/cli/context.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

struct LoadedPlugin {
  std::string file;         // as the user named it
  std::string fingerprint;  // of its contents
};

/// CommandLine::parse for commands that read configurations or stimuli: with --plugin, whose files are loaded in the given order. Throws
/// InputError for a file that is no plugin, was built for another Wharf, or fails to add its members.
bool parse_with_plugins(CommandLine& arguments, const Context& context);

/// All plugins of this process.
const std::vector<LoadedPlugin>& loaded_plugins();
/// Adds them to the inputs of a result.json.
void name_plugins(Json& inputs);

}  // namespace wharf::cli

#pragma once
// The context that the program passes to each command.

#include <iosfwd>
#include <string>
#include <vector>

namespace wharf::cli {

/// The input of a command: its arguments and two streams. A command returns the exit code, and throws InputError or SimulationError.
struct Context {
  const std::vector<std::string>& arguments;
  std::ostream& out;
  std::ostream& err;
};

}  // namespace wharf::cli

#pragma once
// The two errors that can end a run early (exit codes 2 and 1, see platforms/cli).

#include <stdexcept>
#include <string>

namespace wharf {

/// The user's input is wrong (configuration, trace, argument): exit code 2. The message says where (`file:line:column: ...` for a file) and
/// names the remedy.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The simulation failed (a broken law, stale data, a deadlock): exit code 1.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run that several threads advance must begin again with one: no error of the input or of the model. what() says why.
class OneThreadNeeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wharf

#pragma once
// The program: finds the command, runs it, and converts errors to exit codes.

#include <iosfwd>
#include <string>
#include <vector>

namespace wharf::cli {

inline constexpr int kDone = 0;
inline constexpr int kSimulationFailed = 1;  // a broken law, stale data, a deadlock; a limit of `validate` exceeded
inline constexpr int kBadInput = 2;          // usage, configuration, stimulus or trace
inline constexpr int kInterrupted =
    130;  // what a command returns for any signal; the program's code is 128 and the signal, as a shell reports it

/// Runs `arguments` (without the program's name), and returns the exit code. Never throws.
int run_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace wharf::cli

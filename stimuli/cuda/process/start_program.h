#pragma once
// Starts a CUDA program as a child process that finds our runtime library and its channel.

#include <sys/types.h>

#include <string>
#include <vector>

namespace wharf::cuda {

struct ProgramStart {
  std::vector<std::string> command;  // the program's path and its arguments
  std::string runtime_folder;        // holds libcudart; put in front of LD_LIBRARY_PATH
  std::string preload;               // a library for LD_PRELOAD; empty for none
  std::string folder = {};           // it runs there; empty: where we do
};

/// Starts the program, which inherits the descriptors `socket` and `memory`, and dies with us. Throws InputError where it cannot be
/// started.
pid_t start_program(const ProgramStart& start, int socket, int memory);

}  // namespace wharf::cuda

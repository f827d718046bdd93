#include "stimuli/cuda/process/start_program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "model/base/error.h"
#include "stimuli/cuda/recording/queries.h"

namespace wharf::cuda {
namespace {

/// The child's environment: ours, with the channel, and our libraries in front.
std::vector<std::string> environment_of(const ProgramStart& start, int socket, int memory) {
  std::vector<std::string> environment = {fmt::format("{}={},{}", kChannelVariable, socket, memory)};
  const auto prepend = [&environment](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    const char* present = std::getenv(name.c_str());
    environment.push_back(name + "=" + value + (present != nullptr && *present != '\0' ? ":" + std::string(present) : ""));
  };
  prepend("LD_LIBRARY_PATH", start.runtime_folder);
  prepend("LD_PRELOAD", start.preload);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('=') + 1);
    const bool replaced = std::any_of(environment.begin(), environment.end(),
                                      [&name](const std::string& set) { return set.compare(0, name.size(), name) == 0; });
    if (!replaced) environment.push_back(text);
  }
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

pid_t start_program(const ProgramStart& start, int socket, int memory) {
  std::vector<std::string> command = start.command, environment = environment_of(start, socket, memory);
  const std::vector<char*> argv = pointers_to(command), envp = pointers_to(environment);
  int failure[2];  // closed by exec; carries errno where exec fails
  if (pipe2(failure, O_CLOEXEC) != 0) throw InputError(fmt::format("cannot create a pipe: {}; close other programs", std::strerror(errno)));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {  // only async-signal-safe calls from here
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    fcntl(socket, F_SETFD, 0);
    fcntl(memory, F_SETFD, 0);
    if (start.folder.empty() || chdir(start.folder.c_str()) == 0) execvpe(argv[0], argv.data(), envp.data());
    const int error = errno;
    if (write(failure[1], &error, sizeof error) < 0) _exit(126);
    _exit(127);
  }
  close(failure[1]);
  int error = child < 0 ? errno : 0;
  if (child > 0 && read(failure[0], &error, sizeof error) > 0) waitpid(child, nullptr, 0);
  close(failure[0]);
  if (error != 0)
    throw InputError(fmt::format("{}: cannot be started: {}; check the path and its permissions", start.command[0], std::strerror(error)));
  return child;
}

}  // namespace wharf::cuda

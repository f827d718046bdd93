#include "platforms/cli/processes/attempt.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "model/base/error.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/terminal/interrupt.h"

namespace wharf::cli {
namespace {

constexpr unsigned kPollMicroseconds = 10000;

}  // namespace

Attempt::Attempt() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw InputError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  const pid_t parent = getpid();
  pid_ = fork();
  const int error = errno;
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever repeats the work must not meet this process
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);  // a terminal's signals reach the parent alone, which passes them on
  }
  close(ends[pid_ == 0 ? 0 : 1]);
  descriptor_ = ends[pid_ == 0 ? 1 : 0];
  if (pid_ >= 0) return;
  close(descriptor_);
  throw InputError(fmt::format("cannot start a process: {}", std::strerror(error)));
}

Attempt::~Attempt() { close(descriptor_); }

void Attempt::again_with(std::uint64_t number) const {
  const bool is_written = write(descriptor_, &number, sizeof number) == sizeof number;
  _exit(is_written ? 0 : 1);
}

std::uint64_t Attempt::wait() {
  int status = 0;
  bool passed_on = false;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (InterruptGuard::requested() && !passed_on) passed_on = kill(pid_, InterruptGuard::signal()) == 0;
    usleep(kPollMicroseconds);
  }
  exit_code_ = exit_code_of(status);
  std::uint64_t number = 0;
  return read(descriptor_, &number, sizeof number) == sizeof number ? number : 0;
}

}  // namespace wharf::cli

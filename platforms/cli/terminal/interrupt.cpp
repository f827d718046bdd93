#include "platforms/cli/terminal/interrupt.h"

#include <csignal>

namespace wharf::cli {
namespace {

// A signal handler can use only a variable of static storage.
volatile std::sig_atomic_t received = 0;

void remember(int signal) { received = signal; }

/// A signal that the parent process set to be ignored stays ignored, such as SIGHUP under nohup.
bool is_ignored(int signal) {
  struct sigaction present = {};
  return sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

void install(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;  // no SA_RESTART, so that a wait returns
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);  // last: where it is caught, so are the others
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  install(remember, static_cast<int>(SA_RESETHAND));
}

InterruptGuard::~InterruptGuard() { install(SIG_DFL, 0); }

bool InterruptGuard::requested() { return received != 0; }

int InterruptGuard::signal() { return received; }

}  // namespace wharf::cli

#include "platforms/cli/terminal/interrupt.h"

#include <csignal>

namespace wharf::cli {
namespace {

// A signal handler can use only a variable of static storage.
volatile std::sig_atomic_t interrupted = 0;

void set_flag(int) { interrupted = 1; }

void install(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;  // no SA_RESTART, so that a wait returns
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  install(set_flag, static_cast<int>(SA_RESETHAND));
}

InterruptGuard::~InterruptGuard() { install(SIG_DFL, 0); }

bool InterruptGuard::requested() { return interrupted != 0; }

}  // namespace wharf::cli

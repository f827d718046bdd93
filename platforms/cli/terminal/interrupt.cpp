#include "platforms/cli/terminal/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace wharf::cli {
namespace {

// One request can arrive as two signals: `timeout` sends one to its child and one to its process group, and a terminal's Ctrl-C reaches a
// child process that its parent then stops too.
constexpr std::int64_t kOneRequestMs = 2000;

// A signal handler can use only variables of static storage.
volatile std::sig_atomic_t received = 0;
std::atomic<std::int64_t> received_ms;  // when the first was received

std::int64_t now_ms() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void remember(int signal) {
  if (received == 0) {
    received_ms = now_ms();
    received = signal;
  } else if (now_ms() - received_ms >= kOneRequestMs) {
    std::signal(signal, SIG_DFL);
    raise(signal);  // blocked until this handler returns
  }
}

/// A signal that the parent process set to be ignored stays ignored, such as SIGHUP under nohup.
bool is_ignored(int signal) {
  struct sigaction present = {};
  return sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

void install(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;  // sa_flags without SA_RESTART, so that a wait returns
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);  // last: where it is caught, so are the others
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  install(remember);
}

InterruptGuard::~InterruptGuard() { install(SIG_DFL); }

bool InterruptGuard::requested() { return received != 0; }

int InterruptGuard::signal() { return received; }

}  // namespace wharf::cli

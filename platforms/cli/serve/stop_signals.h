#pragma once
// How the server meets the signals that ask it to stop.

#include <csignal>

#include "platforms/cli/terminal/interrupt.h"

namespace wharf::cli {

/// While it exists, SIGINT and SIGTERM set InterruptGuard's flag, and they are delivered only where a wait unblocks them, so that none comes
/// between a look at the flag and the wait. A client that closes its end does not end the process.
class StopSignals {
 public:
  StopSignals() {
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &before_);
    pipes_before_ = signal(SIGPIPE, SIG_IGN);
  }
  ~StopSignals() {
    signal(SIGPIPE, pipes_before_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  InterruptGuard guard_;
  sigset_t before_;
  void (*pipes_before_)(int);
};

}  // namespace wharf::cli

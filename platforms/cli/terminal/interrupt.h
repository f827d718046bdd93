#pragma once
// Turns Ctrl-C, SIGTERM and the end of a terminal into a flag that long work checks.

namespace wharf::cli {

/// While it exists, SIGINT, SIGTERM and SIGHUP set a flag instead of ending the process; a second signal of the kind ends it at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
  /// The signal that was received last, also after the guard has gone; 0 without one.
  static int signal();
};

}  // namespace wharf::cli

#pragma once
// Turns Ctrl-C, SIGTERM and the end of a terminal into a flag that long work checks.

namespace wharf::cli {

/// While it exists, SIGINT, SIGTERM and SIGHUP set a flag instead of ending the process; another, at least two seconds later,
/// ends it at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
  /// The signal that was received first, also after the guard has gone; 0 without one.
  static int signal();
};

}  // namespace wharf::cli

#pragma once
// Turns Ctrl-C into a flag that long work checks.

namespace wharf::cli {

/// While it exists, SIGINT and SIGTERM set a flag instead of ending the process; a second signal ends it at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
};

}  // namespace wharf::cli

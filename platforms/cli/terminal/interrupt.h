#pragma once
// Ctrl-C as a question that long work asks now and then.

namespace wharf::cli {

/// While it lives, SIGINT and SIGTERM set a flag instead of ending the process. A second signal ends it at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
};

}  // namespace wharf::cli

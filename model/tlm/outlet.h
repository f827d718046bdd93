#pragma once
// When the next transaction may leave through a port. While the receiver has not accepted a transaction, the port is closed.

#include "model/base/types.h"

namespace wharf {

class Outlet {
 public:
  /// True if a transaction may leave in cycle `now`.
  bool is_open(Cycle now) const { return opens_at_ <= now; }
  /// The first cycle in which a transaction may leave; kNever while one is pending.
  Cycle opens_at() const { return opens_at_; }
  /// True if a transaction has left and is not accepted yet.
  bool is_pending() const { return opens_at_ == kNever; }

  /// Sends a transaction with `call`, which returns true if the receiver accepts it at once. The next one may then leave in cycle `next`.
  /// If the receiver accepts it later, the owner calls reopen(), which may happen during `call`. Returns what `call` returns.
  template <class Call>
  bool send(Cycle next, Call call) {
    opens_at_ = kNever;
    const bool accepted = call();
    if (accepted) opens_at_ = next;
    return accepted;
  }
  /// The pending transaction was accepted; the next one may leave in cycle `at`.
  void reopen(Cycle at) { opens_at_ = at; }

 private:
  Cycle opens_at_ = 0;
};

}  // namespace wharf

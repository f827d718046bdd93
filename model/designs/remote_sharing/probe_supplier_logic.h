#pragma once
// The supplying side and deflection (remote_sharing sections 8 and 9): probes of other cores that arrive at this one, are looked up in
// its L1, and end here with data or go on to their next target or home. Forwards of L2 slices (LA-LLC, RS-40) take the same way, as
// leaders with one target, and are never lost.

#include <cstdint>

#include "model/designs/remote_sharing/probe_body.h"
#include "model/designs/remote_sharing/probe_counters.h"
#include "model/designs/remote_sharing/probe_params.h"
#include "model/designs/remote_sharing/probe_queue.h"

namespace wharf {

class ProbeSupplierLogic {
 public:
  ProbeSupplierLogic(const ProbeQueueParams& params, ProbeCounters& counters);

  /// A probe or forward arrives in cycle `now` and can be worked on from cycle `usable` on. Where the incoming queue is full it is deflected:
  /// past this core, at once. False where a latch for deflected ones is asked for and full: it stays in the network, and settle() must be
  /// called from the next cycle on, until it says what has become of it. One that is blocked beyond `drop_at` is dropped.
  bool arrive(Transaction& probe, Cycle usable, Cycle drop_at, Cycle now);

  enum class Blocked { none, waits, taken, dropped };
  /// `dropped`: the transaction is the caller's to end. A forward is never dropped: it goes back to its requester over the reply network.
  Blocked settle(Cycle now);
  Transaction* blocked() const { return blocked_; }
  Cycle drop_at() const { return drop_at_; }

  /// The probe to look up now, nullptr where none can be: where its outcome would find no room, the head waits (RS-30).
  Transaction* next_lookup(Cycle now) const;
  void take_lookup(Cycle now);
  /// The answer of the L1 to a probe taken by take_lookup, usable from cycle `ready` on.
  void looked_up(Transaction& probe, bool found, Cycle ready);
  /// The same where the line is there and not given (ata section 6.4): the probe ends here, and goes home over the reply network.
  void withheld(Transaction& probe, Cycle ready);

  // What may be sent, nullptr where nothing: deflected probes, class 3 of remote_sharing section 11, and replies. take_ removes it.
  Transaction* deflected(Cycle now) const { return usable(deflected_, now); }
  Transaction* forwarded(Cycle now) const { return usable(forwarded_, now); }
  Transaction* reply(Cycle now) const { return usable(replies_, now); }
  void take_deflected(Cycle now) { take(deflected_, now); }
  void take_forwarded(Cycle now);
  void take_reply(Cycle now) { take(replies_, now); }

  /// When something to send becomes usable, after `now`; kNever where nothing does. What is usable already waits for the network.
  Cycle next_ready(Cycle now) const;
  /// The cycle in which a lookup may begin, at the earliest the next one; kNever where none may by itself.
  Cycle next_lookup_at(Cycle now) const {
    if (incoming_.empty() || !outcome_has_room()) return kNever;
    return incoming_.next_ready() > now ? incoming_.next_ready() : now + 1;
  }

  /// Nothing of others is here, as between kernels.
  bool idle() const {
    return incoming_.empty() && forwarded_.empty() && replies_.empty() && deflected_.empty() && in_l1_ == 0 && blocked_ == nullptr;
  }

  template <class Visit>
  void for_each_head(Visit visit) const {
    if (!incoming_.empty()) visit("incoming", "lookup", incoming_.front().access);
    if (!deflected_.empty()) visit("deflected", "request", deflected_.front().access);
    if (!forwarded_.empty()) visit("forwarded", "request", forwarded_.front().access);
    if (!replies_.empty()) visit("replies", "reply", replies_.front().access);
    if (blocked_ != nullptr) visit("arrival", "incoming", blocked_->access);
  }

 private:
  static Transaction* usable(const ProbeQueue& queue, Cycle now) { return queue.ready(now) ? &queue.front() : nullptr; }
  bool outcome_has_room() const {
    return forwarded_.size() + in_l1_ < forwarded_.capacity() && replies_.size() + in_l1_ < replies_.capacity();
  }
  void deflect(Transaction& probe, Cycle usable, Cycle now);
  void turn_back(Transaction& forward, Cycle ready);
  void take(ProbeQueue& queue, Cycle now);

  ProbeCounters& counters_;
  ProbeQueue incoming_, forwarded_, replies_, deflected_;
  std::uint32_t in_l1_ = 0;  // lookups under way: each may need a place in either queue
  Transaction* blocked_ = nullptr;
  Cycle drop_at_ = 0, usable_ = 0;  // of the blocked one
};

}  // namespace wharf

#pragma once
// The supplying side and deflection (remote_sharing sections 8 and 9). Probes of other SMs that arrive here are looked up in the L1. They
// end here with data, or continue to the next target or back to the requester. Forwards of L2 slices (LA-LLC, RS-40) are handled like
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

  /// Handles a probe or forward that arrives in cycle `now` and can be processed from cycle `usable` on. If the incoming queue is full, it
  /// is deflected past this SM at once. Returns false if deflection uses a latch and the latch is full: the probe then stays in the
  /// network. Call admit_blocked() from the next cycle on, until it reports the outcome. A probe that is blocked beyond `drop_at` is
  /// dropped.
  bool arrive(Transaction& probe, Cycle usable, Cycle drop_at, Cycle now);

  enum class Blocked { none, waits, taken, dropped };
  /// `dropped`: the caller must end the transaction. A forward is never dropped: it returns to its requester over the reply network.
  Blocked admit_blocked(Cycle now);
  Transaction* blocked() const { return blocked_; }
  Cycle drop_at() const { return drop_at_; }

  /// Returns the probe to look up now, nullptr if there is none. If its outcome would find no room, the head waits (RS-30).
  Transaction* next_lookup(Cycle now) const;
  void pop_lookup(Cycle now);
  /// Handles the L1's answer to a probe taken by pop_lookup. It is usable from cycle `ready` on.
  void looked_up(Transaction& probe, bool found, Cycle ready);
  /// Handles an L1's answer if the line is present but not given (ata section 6.4). The probe ends here and returns to its requester over
  /// the reply network.
  void withheld(Transaction& probe, Cycle ready);

  // What may be sent, nullptr if nothing: deflected probes, class 3 of remote_sharing section 11, and replies. pop_ removes it.
  Transaction* deflected(Cycle now) const { return usable(deflected_, now); }
  Transaction* forwarded(Cycle now) const { return usable(forwarded_, now); }
  Transaction* reply(Cycle now) const { return usable(replies_, now); }
  void pop_deflected(Cycle now) { pop_front(deflected_, now); }
  void pop_forwarded(Cycle now);
  void pop_reply(Cycle now) { pop_front(replies_, now); }

  /// When the next entry to send becomes usable, after `now`; kNever if none does. Entries that are usable already wait for the network.
  Cycle next_ready(Cycle now) const;
  /// The earliest cycle, after `now`, in which a lookup may begin; kNever if none may without an outside event.
  Cycle next_lookup_at(Cycle now) const {
    if (incoming_.empty() || !outcome_has_room()) return kNever;
    return incoming_.next_ready() > now ? incoming_.next_ready() : now + 1;
  }

  /// True if nothing of other SMs is here, as between kernels.
  bool idle() const {
    return incoming_.empty() && forwarded_.empty() && replies_.empty() && deflected_.empty() && lookups_in_flight_ == 0 &&
           blocked_ == nullptr;
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
    return forwarded_.size() + lookups_in_flight_ < forwarded_.capacity() && replies_.size() + lookups_in_flight_ < replies_.capacity();
  }
  void deflect(Transaction& probe, Cycle usable, Cycle now);
  void return_forward(Transaction& forward, Cycle ready);
  void pop_front(ProbeQueue& queue, Cycle now);

  ProbeCounters& counters_;
  ProbeQueue incoming_, forwarded_, replies_, deflected_;
  std::uint32_t lookups_in_flight_ = 0;  // each may need an entry in either queue
  Transaction* blocked_ = nullptr;
  Cycle drop_at_ = 0, usable_ = 0;  // of blocked_
};

}  // namespace wharf

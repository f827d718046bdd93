// When an L1 has work next.

#include <algorithm>

#include "model/l1/l1_companion.h"

namespace wharf {

/// A refused access is retried once the resource that it waits for may have become free.
bool L1Cache::may_retry(Refusal cause, const Changes& changes) {
  switch (cause) {
    case Refusal::mshr_full:
    case Refusal::targets_full:
    case Refusal::pending_store:
      return changes.served;
    case Refusal::no_way:
    case Refusal::queue_full:
    case Refusal::replies_full:
      return changes.any;
    case Refusal::bank_busy:
    case Refusal::peers_full:
      break;
  }
  return true;
}

/// Returns the earliest cycle after `now` in which the port has work. Every access and reply has already woken the block for the cycle in
/// which it is ready. A plain cache therefore asks only for work that could not proceed in this cycle.
template <bool plain>
Cycle L1Cache::next_work(Port& port, const Changes& changes, Cycle now) {
  Cycle next = kNever;
  const auto ask = [&](const RequestQueue& queue, Cycle from) {
    if (queue.admits_after(now)) next = now + 1;
    next = plain ? (queue.ready(now) ? now + 1 : next) : std::min(next, std::max(queue.next_ready(), from));
  };
  for (unsigned i = 0; i < bank_count<plain>(port); ++i) {
    Bank& bank = port.banks[i];
    if (!plain && (held_banks_ >> i & 1) != 0) {
      if (bank.queue.admits_after(now)) next = now + 1;
      continue;
    }
    bank.stuck = bank.stuck && !may_retry(bank.refused.cause, changes);
    if (!bank.stuck) ask(bank.queue, 0);
  }
  ask(port.fills, plain ? 0 : fills_from_);
  if (!plain)
    for (const auto& companion : companions_) next = std::min(next, companion->next_work(now, changes));
  next = std::min(next, port.misses.empty() ? kNever : port.outlet.opens_at());
  return std::max(next, now + 1);
}
template Cycle L1Cache::next_work<true>(Port&, const Changes&, Cycle);
template Cycle L1Cache::next_work<false>(Port&, const Changes&, Cycle);

}  // namespace wharf

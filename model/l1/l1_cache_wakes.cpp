// When an L1 has something to do next.

#include <algorithm>

#include "model/l1/l1_cache.h"
#include "model/l1/l1_distributor.h"
#include "model/l1/l1_remote.h"
#include "model/l1/l1_shared_memory.h"

namespace wharf {

/// A refused access is tried again when what it waits for may have come.
bool L1Cache::may_go(Refusal cause, const Changes& changes) {
  switch (cause) {
    case Refusal::mshr_full:
    case Refusal::targets_full:
    case Refusal::pending_store:
      return changes.filled;
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

template <bool plain>
Cycle L1Cache::next_work(const Port& port, const Changes& changes, Cycle now) const {
  SharedMemory* const shared_memory = companion<plain>(shared_memory_);
  Cycle next = kNever;
  for (const Bank& bank : port.banks) {
    if (shared_memory != nullptr && shared_memory->blocks(bank)) {
      if (bank.queue.settles_after(now)) next = now + 1;
      continue;
    }
    if (bank.refused.counted_to == now && !may_go(bank.refused.cause, changes)) continue;
    if (bank.queue.settles_after(now)) next = now + 1;
    next = std::min(next, bank.queue.next_ready());
  }
  if (port.fills.settles_after(now)) next = now + 1;
  if (const Remote* const remote = companion<plain>(remote_); remote == nullptr)
    next = std::min(next, port.fills.next_ready());
  else
    next = std::min({next, std::max(port.fills.next_ready(), remote->flows_from()), remote->next_work(changes, now)});
  if (const Distributor* const distributor = companion<plain>(distributor_); distributor != nullptr)
    next = std::min(next, distributor->next_work(now));
  if (shared_memory != nullptr) next = std::min(next, shared_memory->next_work(changes));
  if (port.waiting != 0 && !port.blocked) next = std::min(next, port.free_at);
  return next == kNever ? kNever : std::max(next, now + 1);
}
template Cycle L1Cache::next_work<true>(const Port&, const Changes&, Cycle) const;
template Cycle L1Cache::next_work<false>(const Port&, const Changes&, Cycle) const;

}  // namespace wharf

#include "model/designs/remote_sharing/probe_supplier_logic.h"

#include <algorithm>

namespace wharf {

namespace {

/// Addresses a probe to its next target, or to its requester if it has no target left.
void forward_probe(Transaction& probe) {
  if (probe.body == nullptr) {
    probe.message.kind = MessageKind::forward_return;
    return;
  }
  const ProbeBody& body = *probe.body;
  probe.message.kind = body.exhausted() ? MessageKind::probe_return : MessageKind::probe;
  probe.message.destination = static_cast<std::uint16_t>(body.exhausted() ? body.group.requester : body.target());
}

}  // namespace

ProbeSupplierLogic::ProbeSupplierLogic(const ProbeQueueParams& params, ProbeCounters& counters)
    : counters_(counters),
      incoming_(params.incoming),
      forwarded_(params.forwarded),
      replies_(params.replies),
      deflected_(params.deflection == Deflection::latch ? params.deflected : ProbeQueue::kUnbounded) {}

bool ProbeSupplierLogic::arrive(Transaction& probe, Cycle usable, Cycle drop_at, Cycle now) {
  ++counters_.received;
  if (probe.body == nullptr) ++counters_.forwards;
  if (incoming_.room(now)) {
    incoming_.push(probe, usable);
    return true;
  }
  if (deflected_.room(now)) {
    deflect(probe, usable, now);
    return true;
  }
  blocked_ = &probe;
  drop_at_ = drop_at;
  usable_ = usable;
  return false;
}

/// Sends a probe past this SM, which is neither searched nor listed.
void ProbeSupplierLogic::deflect(Transaction& probe, Cycle usable, Cycle now) {
  ++counters_.deflected;
  if (probe.body != nullptr) probe.body->advance_target(false);
  forward_probe(probe);
  deflected_.push(probe, usable);
  counters_.deflected_waiting.add(deflected_.held(now));
}

/// Turns back a forward that cannot continue. Its requester is informed over the reply network, which always drains, and asks the slice
/// again.
void ProbeSupplierLogic::return_forward(Transaction& forward, Cycle ready) {
  forward.message.kind = MessageKind::forward_return;
  forward.message.destination = forward.access.sm;
  replies_.push(forward, ready);
}

ProbeSupplierLogic::Blocked ProbeSupplierLogic::admit_blocked(Cycle now) {
  if (blocked_ == nullptr) return Blocked::none;
  Transaction& probe = *blocked_;
  Blocked outcome = Blocked::taken;
  if (!incoming_.full()) {
    incoming_.push(probe, std::max(usable_, now + 1));
  } else if (!deflected_.full()) {
    deflect(probe, std::max(usable_, now + 1), now);
  } else if (now < drop_at_ || (probe.body == nullptr && replies_.size() + lookups_in_flight_ >= replies_.capacity())) {
    return Blocked::waits;
  } else {
    outcome = probe.body == nullptr ? Blocked::taken : Blocked::dropped;
    ++(probe.body == nullptr ? counters_.forwards_turned_back : counters_.dropped);
    if (probe.body == nullptr) return_forward(probe, now + 1);
  }
  blocked_ = nullptr;
  return outcome;
}

Transaction* ProbeSupplierLogic::next_lookup(Cycle now) const {
  return incoming_.ready(now) && outcome_has_room() ? &incoming_.front() : nullptr;
}

void ProbeSupplierLogic::pop_lookup(Cycle now) {
  pop_front(incoming_, now);
  ++lookups_in_flight_;
  ++counters_.lookups;
}

void ProbeSupplierLogic::looked_up(Transaction& probe, bool found, Cycle ready) {
  --lookups_in_flight_;
  if (found) ++counters_.found;
  const bool scout = probe.body != nullptr && probe.body->role == ProbeRole::scout;
  if (found && !scout) {
    ++counters_.supplier_replies;
    ++(probe.body == nullptr ? counters_.forwards_found : counters_.supplied);
    probe.message.kind = MessageKind::peer_reply;
    probe.message.destination = probe.access.sm;
    replies_.push(probe, ready);
    return;
  }
  if (probe.body != nullptr) probe.body->advance_target(found);
  forward_probe(probe);
  forwarded_.push(probe, ready);
}

void ProbeSupplierLogic::withheld(Transaction& probe, Cycle ready) {
  if (probe.body == nullptr) {
    looked_up(probe, false, ready);
    return;
  }
  --lookups_in_flight_;
  ++counters_.found;
  ++counters_.withheld;
  probe.message.kind = MessageKind::probe_return;
  probe.message.destination = probe.body->group.requester;
  replies_.push(probe, ready);
}

void ProbeSupplierLogic::pop_front(ProbeQueue& queue, Cycle now) {
  counters_.wait_cycles += now - queue.next_ready();
  queue.pop(now);
}

void ProbeSupplierLogic::pop_forwarded(Cycle now) {
  pop_front(forwarded_, now);
  ++counters_.forwarded;
}

Cycle ProbeSupplierLogic::next_ready(Cycle now) const {
  Cycle next = kNever;
  for (const ProbeQueue* queue : {&deflected_, &forwarded_, &replies_})
    if (!queue->empty() && queue->next_ready() > now) next = std::min(next, queue->next_ready());
  return next;
}

}  // namespace wharf

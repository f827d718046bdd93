#include "model/l1/l1_remote.h"

#include <algorithm>

namespace wharf {

L1Cache::Remote::Remote(L1Cache& owner, std::uint32_t places)
    : owner_(owner),
      upstream_("remote", *this, 0),
      lookups_("lookups"),
      queue_(places),
      accesses_(owner.group_, "remote.accesses", "accesses of other SMs served, probes apart", stats::Unit::accesses),
      probes_(owner.group_, "remote.probes", "lookups for other SMs that change nothing", stats::Unit::accesses),
      probe_hits_(owner.group_, "remote.probe_hits", "of them, those that found all sectors", stats::Unit::accesses),
      withheld_(owner.group_, "remote.withheld", "of them, those not given because this SM has written to the line", stats::Unit::accesses),
      wait_cycles_(owner.group_, "remote.wait_cycles", "remote.wait, summed", stats::Unit::cycles),
      wait_(owner.group_, "remote.wait", "cycles from the end of an access's pipeline to its lookup", stats::Unit::cycles) {}

Acceptance L1Cache::Remote::request(unsigned, Payload& payload, Picoseconds at) {
  const Cycle accepted = owner_.clock_.cycle_at(at);
  const Cycle present = owner_.clock_.present_cycle();
  const Cycle latency = owner_.lookup_latency(payload.access());
  const Acceptance acceptance = queue_.offer(payload, accepted, latency, present);
  owner_.wake(0, acceptance == Acceptance::accepted ? std::max(accepted + latency, present + 1) : present + 1);
  return acceptance;
}

bool L1Cache::Remote::act(Cycle now, bool port_free) {
  Cycle end;
  if (Payload* accepted = queue_.settle(now, end)) {
    accepted->stages().claim(Stage::queueing, now);
    upstream_.accept(*accepted, owner_.clock_.delay(end - now));
  }
  if (first_ != nullptr && free_at_ <= now) {
    Transaction& next = *first_;
    first_ = next.next;
    show(Payload::of(next), std::max(next.message.ready, now + 1));
  }
  return port_free && queue_.ready(now) && flows(now) && serve(now);
}

bool L1Cache::Remote::serve(Cycle now) {
  Payload& payload = queue_.front();
  const Cycle waited = now - queue_.next_ready();
  if (payload.access().hint.probe) {
    owner_.claim_lookup(payload, queue_.next_ready(), now, owns(payload.access()));
    queue_.pop(now);
    probe(payload, now);
  } else {
    SectorMask taken = 0;
    if (!owner_.look_up<Where::here>(owner_.ports_[0], queue_, refused_, now, taken)) return false;
    ++accesses_;
  }
  wait_.add(waited);
  wait_cycles_ += waited;
  return true;
}

void L1Cache::Remote::probe(Payload& payload, Cycle now) {
  ++probes_;
  const L1Logic::Copy copy = owner_.logic_.probe(payload.transaction());
  const bool hit = copy != L1Logic::Copy::absent, tags_only = payload.access().hint.tags_only;
  // Whether the line was written stands beside its data: who asks the tags alone does not see it (ATA-O23).
  const bool withheld = copy == L1Logic::Copy::written && !owner_.peers_.gives_written && !tags_only;
  if (hit) ++probe_hits_;
  if (withheld) ++withheld_;
  payload.reply().found = hit;
  payload.reply().served_by = hit && !withheld ? ServedBy::peer : ServedBy::none;
  answer(payload, now + 1 + (hit && !withheld && !tags_only ? owner_.peers_.data_cycles : 0));
}

void L1Cache::Remote::report(Payload& payload, const L1Logic::Verdict& verdict) {
  const Access& access = payload.access();
  ReplyHint& reply = payload.reply();
  reply.found = verdict.outcome == L1Logic::Outcome::hit || verdict.found;
  if ((access.kind != AccessKind::load && access.kind != AccessKind::store) || access.cache_op == CacheOp::bypass_l1) return;
  const bool merged = verdict.outcome == L1Logic::Outcome::merged;
  lookups_.write({access.line, access.sm, reply.found, merged, static_cast<std::uint32_t>(reply.l1_done - access.issue_cycle)});
}

void L1Cache::Remote::answer(Payload& payload, Cycle at) {
  payload.stages().claim(Stage::peer, at);
  ReplyHint& reply = payload.reply();
  if (reply.served_by == ServedBy::l1) reply.served_by = ServedBy::home;
  reply.from_peer |= reply.held;
  reply.held = 0;
  if (flows(owner_.clock_.present_cycle())) {
    show(payload, at);
    return;
  }
  Transaction& waiting = payload.transaction();
  waiting.message.ready = at;
  waiting.next = nullptr;
  (first_ == nullptr ? first_ : last_->next) = &waiting;
  last_ = &waiting;
  if (free_at_ != kNever) owner_.wake(0, std::max(free_at_, owner_.clock_.present_cycle() + 1));
}

void L1Cache::Remote::show(Payload& payload, Cycle at) {
  if (!upstream_.respond(payload, owner_.clock_.edge(at) - present())) free_at_ = kNever;
}

void L1Cache::Remote::response_accepted(unsigned, Picoseconds at) {
  const Cycle next = owner_.clock_.present_cycle() + 1;
  // Behind a DC-L1 data that are still being read have a place in Q2 for when they come: the next lookup need not wait for that.
  free_at_ = owner_.detached_ ? next : owner_.clock_.cycle_at(at);
  owner_.wake(0, std::max(free_at_, next));
}

Cycle L1Cache::Remote::next_work(const Changes& changes, Cycle now) const {
  Cycle next = queue_.settles_after(now) ? now + 1 : kNever;
  const bool stays = refused_.counted_to == now && !may_go(refused_.cause, changes);
  if (free_at_ != kNever) {
    if (first_ != nullptr) next = std::min(next, free_at_);
    if (!stays) next = std::min(next, std::max(queue_.next_ready(), free_at_));
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

unsigned L1Cache::Remote::debug(unsigned, tlm::tlm_generic_payload& transaction) { return owner_.debug(0, transaction); }

void L1Cache::Remote::inspect(std::vector<Wait>& waits) const {
  if (queue_.empty()) return;
  const Access& access = queue_.front().access();
  const std::string path = owner_.group_.path();
  const char* resource = free_at_ == kNever || first_ != nullptr ? ".remote_answers" : resource_of(refused_);
  waits.push_back({path + ".remote", path + resource, access.id, access.line.byte_address(), access.issue_cycle});
}

}  // namespace wharf

#include "model/l1_sharing/remote_port.h"

#include "model/base/archive.h"

#include <algorithm>

namespace wharf {

namespace {

/// Replaces the zeros in `timing` by the cache's own latencies.
PeerTiming completed(PeerTiming timing, const L1Params& params) {
  if (timing.tag_cycles == 0) timing.tag_cycles = params.tag_cycles;
  if (timing.data_cycles == 0) timing.data_cycles = params.data_cycles;
  if (timing.fill_cycles == 0) timing.fill_cycles = params.fill_cycles;
  return timing;
}

}  // namespace

RemotePort::RemotePort(L1Cache& cache, std::uint32_t places, const PeerTiming& timing)
    : L1Companion(cache),
      timing_(completed(timing, params())),
      upstream_("remote", *this, 0),
      lookups_("lookups"),
      queue_(places, detached() ? 0 : std::max(timing_.tag_cycles, params().tag_cycles)),  // Q1 of a DC-L1 node has the stages (DC-7)
      accesses_(group(), "remote.accesses", "accesses of other SMs served, without probes", stats::Unit::accesses),
      probes_(group(), "remote.probes", "lookups for other SMs that change nothing", stats::Unit::accesses),
      probe_hits_(group(), "remote.probe_hits", "lookups for other SMs that found all sectors", stats::Unit::accesses),
      withheld_(group(), "remote.withheld", "lookups that found the line but supplied no data, because this SM has written to it",
                stats::Unit::accesses),
      wait_cycles_(group(), "remote.wait_cycles", "remote.wait, summed", stats::Unit::cycles),
      wait_(group(), "remote.wait", "cycles from the end of an access's pipeline to its lookup", stats::Unit::cycles) {
  serve_peers(*this);
  set_peer_fill_cycles(timing_.fill_cycles);
}

Acceptance RemotePort::request(unsigned, Payload& payload, Picoseconds at) {
  const Cycle accepted = clock().cycle_at(at);
  const Cycle present = clock().present_cycle();
  const Cycle latency = payload.access().hint.probe ? timing_.tag_cycles - 1 : lookup_latency(payload.access());
  const Acceptance acceptance = queue_.offer(payload, accepted, latency, present);
  wake(acceptance == Acceptance::accepted ? std::max(accepted + latency, present + 1) : present + 1);
  return acceptance;
}

void RemotePort::end(Cycle now, L1Cache::Work& work) {
  Cycle end;
  if (Payload* accepted = queue_.admit_pending(now, end)) {
    accepted->stages().claim(Stage::queueing, now);
    upstream_.accept(*accepted, clock().delay(end - now));
  }
  if (!waiting_.empty() && outlet_.is_open(now)) {
    Transaction& next = waiting_.pop_front();
    show(Payload::of(next), std::max(next.message.ready, now + 1));
  }
  if (!work.looked_up && work.taken == 0 && queue_.ready(now) && flows(now)) work.filled |= serve(now);
}

bool RemotePort::serve(Cycle now) {
  Payload& payload = queue_.front();
  const Cycle waited = now - queue_.next_ready();
  if (payload.access().hint.probe) {
    claim_lookup(payload, queue_.next_ready(), now);
    queue_.pop(now);
    probe(payload, now);
  } else {
    SectorMask taken = 0;
    if (!look_up(queue_, refused_, now, taken)) return false;
    ++accesses_;
  }
  wait_.add(waited);
  wait_cycles_ += waited;
  return true;
}

void RemotePort::probe(Payload& payload, Cycle now) {
  ++probes_;
  const L1Logic::Copy copy = logic().probe(payload.transaction());
  const bool hit = copy != L1Logic::Copy::absent, tags_only = payload.access().hint.tags_only;
  // The record of a write is stored beside the data, so a probe of the tags alone does not see it (ATA-O23).
  const bool withheld = copy == L1Logic::Copy::written && !timing_.supplies_written && !tags_only;
  if (hit) ++probe_hits_;
  if (withheld) ++withheld_;
  payload.reply().found = hit;
  payload.reply().served_by = hit && !withheld ? ServedBy::peer : ServedBy::none;
  answer(payload, now + 1 + (hit && !withheld && !tags_only ? timing_.data_cycles : 0));
}

void RemotePort::looked_up(Payload& payload, const L1Logic::Verdict& verdict) {
  const Access& access = payload.access();
  ReplyHint& reply = payload.reply();
  reply.found = verdict.outcome == L1Logic::Outcome::hit || verdict.found;
  if ((access.kind != AccessKind::load && access.kind != AccessKind::store) || access.cache_op == CacheOp::bypass_l1) return;
  const bool merged = verdict.outcome == L1Logic::Outcome::merged;
  lookups_.write({access.line, access.sm, reply.found, merged, static_cast<std::uint32_t>(reply.l1_done - access.issue_cycle)});
}

void RemotePort::answer(Payload& payload, Cycle at) {
  payload.stages().claim(Stage::peer, at);
  ReplyHint& reply = payload.reply();
  if (reply.served_by == ServedBy::l1) reply.served_by = ServedBy::home;
  reply.from_peer |= reply.held;
  reply.held = 0;
  if (flows(clock().present_cycle())) {
    show(payload, at);
    return;
  }
  waiting_.push_back(payload.transaction(), at);
  hold_fills_until(flows_from());
  if (!outlet_.is_pending()) wake(std::max(outlet_.opens_at(), clock().present_cycle() + 1));
}

void RemotePort::show(Payload& payload, Cycle at) {
  outlet_.send(outlet_.opens_at(), [&] { return upstream_.respond(payload, clock().edge(at) - present()); });
  hold_fills_until(flows_from());
}

void RemotePort::response_accepted(unsigned, Picoseconds at) {
  const Cycle next = clock().present_cycle() + 1;
  // In a DC-L1 node, data that are still being read get their place in Q2 only on arrival, so the next lookup need not wait for them.
  outlet_.reopen(detached() ? next : clock().cycle_at(at));
  hold_fills_until(flows_from());
  wake(std::max(outlet_.opens_at(), next));
}

Cycle RemotePort::next_work(Cycle now, const L1Cache::Changes& changes) {
  Cycle next = queue_.admits_after(now) ? now + 1 : kNever;
  const bool stays = refused_.counted_to == now && !may_retry(refused_.cause, changes);
  if (!outlet_.is_pending()) {
    if (!waiting_.empty()) next = std::min(next, outlet_.opens_at());
    if (!stays) next = std::min(next, std::max(queue_.next_ready(), outlet_.opens_at()));
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

unsigned RemotePort::debug(unsigned, tlm::tlm_generic_payload& transaction) { return L1Companion::debug(transaction); }

void RemotePort::inspect(std::vector<Wait>& waits) const {
  if (queue_.empty()) return;
  const Access& access = queue_.front().access();
  const std::string path = group().path();
  const char* resource = outlet_.is_pending() || !waiting_.empty() ? ".remote_answers" : resource_of(refused_);
  waits.push_back({path + ".remote", path + resource, access.id, access.line.byte_address(), access.issue_cycle});
}

bool RemotePort::archive(Archive& file) {
  file.expect_quiet(queue_.empty() && !queue_.waiting() && waiting_.empty(), group().path() + ".remote");
  file(refused_, outlet_);
  return true;
}

}  // namespace wharf

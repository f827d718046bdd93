#include "model/l2/l2_entry.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/l2/l2_slice.h"
#include "model/tlm/debug_access.h"

namespace wharf {

namespace {

constexpr std::uint32_t kPassing = 2;  // places for one answer per cycle: one arrives while one leaves

}  // namespace

L2Entry::Counters::Counters(stats::Group& g)
    : near(g, "near", "requests that entered L2 in the partition of their line", stats::Unit::accesses),
      far(g, "far", "requests that entered L2 in the other partition than that of their line", stats::Unit::accesses),
      requests(g, "link.requests", "requests sent to the slice of the same number in the other partition", stats::Unit::count),
      responses(g, "link.responses", "answers sent to that slice", stats::Unit::count),
      bytes(g, "link.bytes", "bytes of these messages, headers included", stats::Unit::bytes),
      busy(g, "link.busy", "cycles in which these bytes entered the link", stats::Unit::cycles) {}

L2Entry::L2Entry(sc_core::sc_module_name name, const PartitionParams& params, unsigned node, unsigned number,
                 const Environment& environment)
    : sc_module(name),
      clock_(environment.clock),
      block_(clock_.add(*this)),
      pool_(environment.pool),
      addresses_(environment.addresses),
      unit_(environment.unit),
      packets_(environment.packets),
      entry_cycles_(params.entry_cycles),
      link_cycles_(params.link.cycles),
      link_queue_(params.link.queue),
      node_(static_cast<std::uint16_t>(node)),
      number_(number),
      group_(environment.registry, "l2", static_cast<int>(number)),
      counters_(group_),
      requests_(1, params.entry_cycles - 1),
      forwarded_(params.link.queue, params.link.cycles),
      near_replies_(kPassing),
      far_replies_(params.link.queue),
      link_replies_(params.link.queue, params.link.cycles),
      link_(params.link.bytes_per_clock),
      copying_(params.copies() ? new Copying(params, {node_, [this] { clock_.request_commit(*this); }}, group_, environment) : nullptr),
      upstream_("upstream", *this, kOwn),
      from_mirror_("from_mirror", *this, kMirror),
      downstream_("downstream", *this, kOwn),
      to_mirror_("to_mirror", *this, kMirror) {
  if (copying_ != nullptr) {
    add_laws_of_copies(environment.accesses);
    return;
  }
  group_.law("far == link.requests", [this] { return counters_.far.value() == counters_.requests.value(); });
  group_.law("near + link.responses == accesses",
             [this, &accesses = environment.accesses] { return counters_.near.value() + counters_.responses.value() == accesses.value(); });
}

void L2Entry::expect_requests_of(const L2Entry& mirror) {
  if (copying_ != nullptr)
    return group_.law("link.responses == link.requests - copy.eviction_notices of the mirror", [this, &mirror] {
      return counters_.responses.value() + mirror.copying_->copies.counters().notices.value() == mirror.counters_.requests.value();
    });
  group_.law("link.responses == link.requests of the mirror",
             [this, &mirror] { return counters_.responses.value() == mirror.counters_.requests.value(); });
}

unsigned L2Entry::debug(unsigned port, tlm::tlm_generic_payload& transaction) {
  return debug_by_lines(transaction, [&](tlm::tlm_generic_payload& part) {
    const bool here = port == kMirror || is_near(LineAddress::of(part.get_address()));
    return here ? downstream_.debug(part) : to_mirror_.debug(part);
  });
}

Acceptance L2Entry::request(unsigned port, Payload& payload, Picoseconds at) {
  const Cycle arrival = clock_.cycle_at(at), present = clock_.present_cycle();
  RequestQueue& queue = port == kOwn ? requests_ : forwarded_;
  if (port == kMirror && is_notice(payload)) return receive_notice(payload, arrival);
  if (port == kOwn) {
    // The network interface has read its own endpoint, and a foreign module may have set none.
    MessageHeader& header = payload.message();
    header.destination = node_;
    if (header.source == node_) header.source = 0;  // left in a recycled payload; it would make this a request for a copy
    ++(is_near(payload.access().line) ? counters_.near : counters_.far);
  }
  const Acceptance acceptance = queue.offer(payload, arrival, port == kOwn ? entry_cycles_ - 2 : 0, present);
  if (acceptance == Acceptance::pending) {
    wake(0);
  } else if (queue.size() == 1) {
    look_at_front();
    wake_for(queue);
  }
  return acceptance;
}

bool L2Entry::response(unsigned port, Payload& payload, Picoseconds at) {
  RequestQueue& queue = port == kMirror ? link_replies_ : entered_here(payload.transaction()) ? near_replies_ : far_replies_;
  const bool accepted = queue.offer(payload, clock_.cycle_at(at), 0, clock_.present_cycle()) == Acceptance::accepted;
  if (accepted)
    wake_for(queue);
  else
    wake(0);
  return accepted;
}

void L2Entry::request_accepted(unsigned port, Picoseconds at) {
  reopen(port == kOwn ? slice_outlet_ : link_request_outlet_, port == kOwn ? 1 : link_cycles_, at);
}

/// The next transaction may arrive from `at` on, so it may leave `delay` cycles earlier.
void L2Entry::reopen(Outlet& outlet, Cycle delay, Picoseconds at) {
  outlet.reopen(std::max(clock_.cycle_at(at), clock_.present_cycle() + 1 + delay) - delay);
  wake(outlet.opens_at());
}

void L2Entry::response_accepted(unsigned port, Picoseconds at) {
  reopen(port == kOwn ? up_outlet_ : link_reply_outlet_, port == kOwn ? 1 : link_cycles_, at);
}

void L2Entry::act(Cycle now) {
  admit_pending(now);
  const bool far = copying_ == nullptr && !front_is_near_ && requests_.ready(now);  // one request per cycle leaves the pipeline
  if (std::min(next_near(), next_forwarded()) <= now) send_to_slice(now);
  if (far) forward_far(now);
  if (std::min(next_far(), next_far_reply()) <= now) send_over_link(now);
  if (std::min({next_answer(0), next_answer(1), next_answer(2)}) <= now) send_reply_upstream(now);
  if (next_commit() <= now) clock_.request_commit(*this);
  if (const Cycle cycle = next(now); cycle != kNever) wake(cycle);
}

/// Notes whether the oldest request of the network interface is near.
void L2Entry::look_at_front() { front_is_near_ = !requests_.empty() && is_near(requests_.front().access().line); }

/// Accepts the requests and answers that waited for a queue entry and now have one.
void L2Entry::admit_pending(Cycle now) {
  Cycle end;
  const auto admitted = [&](RequestQueue& queue) {
    Payload* const accepted = queue.admit_pending(now, end);
    if (accepted != nullptr) accepted->stages().claim_to(Stage::l2_queue, present());
    return accepted;
  };
  if (Payload* const accepted = admitted(requests_)) {
    look_at_front();
    upstream_.accept(*accepted, clock_.delay(end - now));
  }
  if (Payload* const accepted = admitted(forwarded_)) from_mirror_.accept(*accepted, clock_.delay(end - now));
  for (RequestQueue* const queue : {&near_replies_, &far_replies_})
    if (Payload* const accepted = admitted(*queue)) downstream_.end_response(*accepted, clock_.delay(end - now));
  if (Payload* const accepted = admitted(link_replies_)) to_mirror_.end_response(*accepted, clock_.delay(end - now));
}

/// Moves the oldest request, which is far, to those that wait for the link, if one of their places is free.
void L2Entry::forward_far(Cycle now) {
  if (far_.size() >= link_queue_) return;
  const Cycle due = requests_.next_ready();
  Payload& payload = requests_.pop(now);
  claim(payload, due, now);
  far_.push_back(payload.transaction());
  look_at_front();
}

/// Sends one request to the slice: a near one or one that the mirror has forwarded, in turn if both are ready.
void L2Entry::send_to_slice(Cycle now) {
  const bool forwarded = next_forwarded() <= now && (forwarded_turn_ || next_near() > now);
  forwarded_turn_ = !forwarded;
  RequestQueue& queue = forwarded ? forwarded_ : requests_;
  const Cycle due = queue.next_ready();
  Payload& payload = queue.pop(now);
  claim(payload, due, now);
  if (!forwarded) look_at_front();
  slice_outlet_.send(now + 1, [&] { return downstream_.send(payload, clock_.delay(1)) != Acceptance::pending; });
}

/// Sends one message to the mirror: a far request, or the answer to a request of the mirror, in turn if both are ready.
void L2Entry::send_over_link(Cycle now) {
  const bool reply = next_far_reply() <= now && (far_reply_turn_ || next_far() > now);
  far_reply_turn_ = !reply;
  if (!reply) {
    Payload& payload = Payload::of(far_.pop_front());
    const Access& access = payload.access();
    claim(payload, 0, now);
    start_on_link(payload, packets_.request_flits(access, kByte), now);
    ++counters_.requests;
    Acceptance acceptance = Acceptance::pending;
    link_request_outlet_.send(now + 1, [&] {
      acceptance = to_mirror_.send(payload, clock_.delay(link_cycles_));
      return acceptance != Acceptance::pending;
    });
    if (acceptance == Acceptance::completed) payload.release();
    return;
  }
  if (copying_ != nullptr && !copying_->acks.empty()) return send_ack(now);
  const Cycle due = far_replies_.next_ready();
  Payload& payload = far_replies_.pop(now);
  const Access& access = payload.access();
  const bool data = access.kind != AccessKind::store && access.kind != AccessKind::metadata;
  claim(payload, due, now);
  start_on_link(payload, packets_.flits(data ? access.sectors : SectorMask{0}, kByte), now);
  answer_over_link(payload, now);
}

void L2Entry::answer_over_link(Payload& payload, Cycle now) {
  ++counters_.responses;
  link_reply_outlet_.send(now + 1, [&] { return from_mirror_.respond(payload, clock_.delay(link_cycles_)); });
}

void L2Entry::start_on_link(Payload& payload, unsigned bytes, Cycle now) {
  counters_.bytes += bytes;
  counters_.busy += link_.start(now, bytes);
  payload.stages().claim_to(Stage::partition, present() + clock_.delay(link_cycles_));
}

/// Sends one answer to the network interface. Those of the slice, of the link and of copies take turns.
void L2Entry::send_reply_upstream(Cycle now) {
  unsigned from = answer_turn_;
  while (next_answer(from) > now) from = (from + 1) % kAnswers;
  answer_turn_ = (from + 1) % kAnswers;
  if (from == 0 && copying_ != nullptr && holds_answer(now)) return;
  Payload& payload = pop_answer(from, now);
  payload.stages().claim_to(Stage::l2, present() + clock_.delay(1));
  up_outlet_.send(now + 1, [&] { return upstream_.respond(payload, clock_.delay(1)); });
}

Payload& L2Entry::pop_answer(unsigned from, Cycle now) {
  const Cycle due = next_answer_ready(from);
  Payload& payload = from == 0             ? near_replies_.pop(now)
                     : copying_ == nullptr ? link_replies_.pop(now)
                                           : Payload::of((from == 1 ? copying_->released : copying_->hits).pop_front());
  claim(payload, due, now);
  return payload;
}

/// Books the time up to cycle `due`, in which the access was ready, to L2, and from there to `now` to its queues.
void L2Entry::claim(Payload& payload, Cycle due, Cycle now) const {
  StageTimes& stages = payload.stages();
  if (!stages.counted()) return;
  stages.claim_to(Stage::l2, clock_.edge(due));
  stages.claim_to(Stage::l2_queue, clock_.edge(now));
}

/// The next cycle with work after this act; kNever if there is none, or if another event must come first.
Cycle L2Entry::next(Cycle now) const {
  Cycle next = std::min(
      {next_near(), next_forwarded(), next_far(), next_far_reply(), next_answer(0), next_answer(1), next_answer(2), next_commit()});
  if (copying_ == nullptr && !front_is_near_ && far_.size() < link_queue_) next = std::min(next, requests_.next_ready());
  for (const RequestQueue* const queue : {&requests_, &forwarded_, &near_replies_, &far_replies_, &link_replies_})
    if (queue->admits_after(now)) next = std::min(next, now + 1);
  return next;
}

void L2Entry::inspect(std::vector<Wait>& waits) const {
  const std::string path = group_.path(), link = path + ".link";
  const auto add = [&](const RequestQueue& queue, const std::string& holder, const std::string& resource) {
    if (queue.empty()) return;
    const Access& access = queue.front().access();
    waits.push_back({holder, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  add(requests_, path + ".entry", front_is_near_ ? path + ".input" : link + ".requests");
  add(forwarded_, link + ".forwarded", path + ".input");
  add(near_replies_, path + ".near_replies", "nic." + path + ".reply");
  add(far_replies_, path + ".far_replies", link + ".responses");
  add(link_replies_, link + ".replies", "nic." + path + ".reply");
  if (copying_ != nullptr) inspect_copies(waits);
  if (far_.empty()) return;
  const Access& access = far_.front().access;
  waits.push_back({link + ".requests", "the mirror of " + path, access.id, access.line.byte_address(), access.issue_cycle});
}

void L2Entry::archive(Archive& file) {
  bool quiet = far_.empty();
  for (const RequestQueue* const queue : {&requests_, &forwarded_, &near_replies_, &far_replies_, &link_replies_})
    quiet &= queue->empty() && !queue->waiting();
  file.expect_quiet(quiet && copies_quiet(), group_.path() + ".entry");
  file(slice_outlet_, link_request_outlet_, link_reply_outlet_, up_outlet_, forwarded_turn_, answer_turn_, far_reply_turn_, link_);
  if (copying_ != nullptr) file(copying_->copies);
}

}  // namespace wharf

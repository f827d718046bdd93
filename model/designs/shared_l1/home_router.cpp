#include "model/designs/shared_l1/home_router.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"

namespace wharf {

namespace {

/// True for accesses that an L1 answers from below without a fill.
bool passes_l1(const Access& access) { return access.kind != AccessKind::load || access.cache_op == CacheOp::bypass_l1; }

}  // namespace

HomeRouter::HomeRouter(sc_core::sc_module_name name, const SharedL1Params& params, HomeRouterLogic& logic, unsigned core,
                       ClockDomain& clock)
    : sc_module(name),
      to_l1("to_l1"),
      logic_(logic),
      clock_(clock),
      core_(core),
      block_(clock.add(*this)),
      upstream_("upstream", *this, kFromSm),
      l1_below_("l1_below", *this, kFromL1),
      l1_("l1", *this, kToL1),
      remote_("remote", *this, kToRemote),
      requests_(params.request_queue),
      from_l1_(1),
      acks_(params.out_queue),
      out_(params.out_queue) {
  const char* const outputs[] = {"to_l2", "to_peer", "to_requester"};
  const char* const inputs[] = {"from_l2", "from_home", "from_peer"};
  for (unsigned i = 0; i < 3; ++i) {
    outputs_[i].port = std::make_unique<MessageSourcePort>(outputs[i], static_cast<MessageSource&>(*this), i);
    inputs_[i].port = std::make_unique<MessageSinkPort>(inputs[i], static_cast<MessageSink&>(*this), i);
  }
}

unsigned HomeRouter::output_of(Traffic traffic) {
  return traffic == Traffic::to_l2 ? kToL2 : traffic == Traffic::to_peer ? kToPeer : kToRequester;
}

unsigned HomeRouter::input_of(Traffic traffic) {
  return traffic == Traffic::from_l2 ? kFromL2 : traffic == Traffic::from_peer ? kFromHome : kFromPeer;
}

Acceptance HomeRouter::request(unsigned port, Payload& payload, Picoseconds at) {
  if (port == kFromSm) return request_of_sm(payload, at);
  logic_.head_for_l2(payload.transaction());
  sent_to_l2.report(payload.access());
  const Acceptance acceptance = from_l1_.offer(payload, clock_.cycle_at(at), 0, clock_.now());
  clock_.request_commit(*this);
  if (acceptance == Acceptance::pending) wake(clock_.now() + 1);
  return acceptance;
}

Acceptance HomeRouter::request_of_sm(Payload& payload, Picoseconds at) {
  const Cycle now = clock_.now();
  const HomeRouterLogic::Path path = logic_.route(payload.transaction(), now);
  if (path == HomeRouterLogic::Path::local) {
    const Acceptance acceptance = l1_.send(payload, at - present());
    if (acceptance == Acceptance::pending) pending_local_ = &payload;
    return acceptance;
  }
  if (payload.access().kind != AccessKind::load && logic_.may_hold_foreign_lines()) {
    Event event;
    event.kind = Event::Kind::line_written;
    event.line = payload.access().line;
    to_l1.write(event);
  }
  if (path == HomeRouterLogic::Path::direct) sent_to_l2.report(payload.access());
  const Cycle accepted = clock_.cycle_at(at);
  payload.reply().l1_done = accepted + 1;  // for an access that no L1 looks up; the home's L1 sets its own
  const Acceptance acceptance = requests_.offer(payload, accepted, 1, now);
  wake(acceptance == Acceptance::accepted ? accepted : now + 1);
  return acceptance;
}

void HomeRouter::request_accepted(unsigned port, Picoseconds at) {
  if (port == kToL1) {
    Payload& payload = *pending_local_;
    pending_local_ = nullptr;
    upstream_.accept(payload, at - present());
    return;
  }
  Payload& payload = *inputs_[kFromPeer].pending;
  inputs_[kFromPeer].pending = nullptr;
  inputs_[kFromPeer].port->accept(payload, at - present());
}

bool HomeRouter::response(unsigned port, Payload& payload, Picoseconds at) {
  if (port == kToRemote) return queue_answer(payload, clock_.cycle_at(at));
  logic_.store_done(payload.access(), clock_.present_cycle());
  return upstream_.respond(payload, at - present());
}

void HomeRouter::answer_sm(Payload& payload, Cycle at) {
  payload.stages().claim(Stage::l1, at);
  if (!upstream_.respond(payload, clock_.edge(at) - present()))
    throw SimulationError(std::string(name()) + ": the SM has not taken an answer at once");
}

/// Returns false if there is no room; the L1 then waits.
bool HomeRouter::queue_answer(Payload& payload, Cycle ready) {
  logic_.head_for_requester(payload.transaction());
  if (!out_.room()) {
    refused_answer_ = &payload;
    refused_ready_ = ready;
    return false;
  }
  out_.add(payload.transaction(), ready);
  if (committing_) return true;
  if (ready <= clock_.now() + 1)
    clock_.request_commit(*this);
  else
    wake(ready - 1);
  return true;
}

void HomeRouter::response_accepted(unsigned port, Picoseconds at) {
  if (port == kFromSm) return;
  to_own_l1_.reopen(clock_.cycle_at(at));
  if (forwarding_)
    clock_.request_commit(*this);
  else
    accept_from_l2(at);
  if (!acks_.empty()) wake(std::max(to_own_l1_.opens_at(), clock_.present_cycle() + 1));
}

/// The own L1 has taken the message that it refused.
void HomeRouter::accept_from_l2(Picoseconds at) {
  Input& input = inputs_[kFromL2];
  Payload& payload = *input.pending;
  input.pending = nullptr;
  input.port->accept(payload, at - present());
}

bool HomeRouter::message(unsigned port, Payload& payload, Picoseconds at) {
  if (port == kFromL2) return l2_message(payload, at);
  if (port == kFromHome) return home_message(payload, at);
  logic_.arrives_at_home(payload.access());
  if (remote_.send(payload, at - present()) != Acceptance::pending) return true;
  inputs_[kFromPeer].pending = &payload;
  return false;
}

bool HomeRouter::home_message(Payload& payload, Picoseconds at) {
  const Cycle arrival = clock_.cycle_at(at);
  logic_.home_answers(payload.transaction(), clock_.present_cycle(), arrival);
  answer_sm(payload, arrival + 1);
  return true;
}

bool HomeRouter::l2_message(Payload& payload, Picoseconds at) {
  const Cycle arrival = clock_.cycle_at(at), now = clock_.present_cycle();
  if (payload.message().direct) {
    logic_.l2_answers_core(payload.transaction(), now);
    answer_sm(payload, arrival + 1);
    return true;
  }
  logic_.l2_answers_l1(payload.transaction(), now, arrival);
  if (payload.access().sm != core_ && passes_l1(payload.access())) {
    const Acceptance acceptance = acks_.offer(payload, arrival, 0, now);
    wake(acceptance == Acceptance::accepted ? std::max(arrival, now + 1) : now + 1);
    return acceptance == Acceptance::accepted;
  }
  Payload*& pending = inputs_[kFromL2].pending;
  pending = &payload;
  const bool accepted = !forwarding_ && answer_own_l1(payload, at);
  if (accepted) pending = nullptr;
  return accepted;
}

/// Returns false if the own L1 takes the answer later.
bool HomeRouter::answer_own_l1(Payload& payload, Picoseconds at) {
  return to_own_l1_.send(to_own_l1_.opens_at(), [&] { return l1_below_.respond(payload, at - present()); });
}

void HomeRouter::posted(unsigned port, Picoseconds at) {
  outputs_[port].outlet.reopen(clock_.cycle_at(at));
  wake(std::max(outputs_[port].outlet.opens_at(), clock_.present_cycle() + 1));
}

void HomeRouter::write(const LookupEvent& event) {
  logic_.looked_up(event.line, event.sm, event.hit, event.merged, event.latency, clock_.now());
}

void HomeRouter::write(const Event& event) {
  if (event.kind == Event::Kind::kernel_start) logic_.kernel_starts(clock_.now());
}

void HomeRouter::act(Cycle now) {
  Cycle end;
  if (Payload* accepted = requests_.admit_pending(now, end)) {
    accepted->stages().claim(Stage::lsu, now);
    upstream_.accept(*accepted, clock_.delay(end - now));
  }
  if (Payload* accepted = from_l1_.admit_pending(now, end)) l1_below_.accept(*accepted, clock_.delay(end - now));
  if (Payload* accepted = acks_.admit_pending(now, end)) inputs_[kFromL2].port->accept(*accepted, clock_.delay(end - now));
  clock_.request_commit(*this);
}

/// End of the cycle: all messages of the cycle have arrived.
void HomeRouter::commit() {
  const Cycle now = clock_.now();
  if (committed_ == now) return;  // requested by this block and by its L1
  committed_ = now;
  sent_request_ = sent_fetch_ = false;
  committing_ = true;
  forward_acks(now);
  committing_ = false;
  send(now);
  if (refused_answer_ != nullptr && out_.room()) {
    Payload& payload = *refused_answer_;
    refused_answer_ = nullptr;
    out_.add(payload.transaction(), refused_ready_);
    remote_.end_response(payload, clock_.edge(std::max(refused_ready_, now + 1)) - present());
  }
  const Cycle next = next_work(now);
  if (next != kNever) wake(next);
}

/// Turns WACK_L2 into WACK_HOME (shared_l1 section 5.4): through the L1, whose store it answers, into the Out queue. Loads that bypass the L1 go
/// the same way.
void HomeRouter::forward_acks(Cycle now) {
  if (forwarding_ && !to_own_l1_.is_pending()) {
    forwarding_ = false;
    const Picoseconds next = clock_.edge(now + 1);
    if (Payload* behind = inputs_[kFromL2].pending; behind != nullptr && answer_own_l1(*behind, next)) accept_from_l2(next);
  }
  while (acks_.ready(now) && to_own_l1_.is_open(now) && refused_answer_ == nullptr && out_.room())
    forwarding_ = !answer_own_l1(acks_.pop(now), present());
}

void HomeRouter::send(Cycle now) {
  if (requests_.ready(now + 1)) {
    Payload& request = requests_.front();
    request.stages().claim(Stage::l1, requests_.next_ready());  // time of the routing
    const bool to_home = request.message().traffic == Traffic::to_peer;
    const bool turn = to_home || core_turn_ || !from_l1_.ready(now + 1);
    if (turn && post(to_home ? kToPeer : kToL2, request, requests_.next_ready(), now)) {
      requests_.pop(now);
      sent_request_ = true;
      if (!to_home) core_turn_ = false;
    }
  }
  if (from_l1_.ready(now + 1) && post(kToL2, from_l1_.front(), from_l1_.next_ready(), now)) {
    from_l1_.pop(now);
    sent_fetch_ = core_turn_ = true;
  }
  if (out_.next_ready() <= now + 1 && post(kToRequester, Payload::of(out_.front()), out_.next_ready(), now)) out_.pop();
}

/// Sends at most one message per cycle and port. Returns true if the message has left this queue, even if the network has not accepted it
/// yet.
bool HomeRouter::post(unsigned port, Payload& payload, Cycle ready, Cycle now) {
  Output& output = outputs_[port];
  if (!output.outlet.is_open(now)) return false;
  output.outlet.send(now + 1, [&] { return output.port->post(payload, clock_.edge(std::max(ready, now + 1)) - present()); });
  return true;
}

Cycle HomeRouter::next_work(Cycle now) const {
  Cycle next = kNever;
  // A message leaves its queue in the cycle before it is ready, once its port is free. A busy port wakes this block itself.
  const auto leaves = [&](unsigned port, Cycle ready) {
    if (ready != kNever) next = std::min(next, std::max(ready - 1, outputs_[port].outlet.opens_at()));
  };
  if (!requests_.empty()) leaves(output_of(requests_.front().message().traffic), requests_.next_ready());
  leaves(kToL2, from_l1_.next_ready());
  leaves(kToRequester, out_.next_ready());
  if ((sent_request_ && requests_.waiting()) || (sent_fetch_ && from_l1_.waiting()) || acks_.waiting()) next = now + 1;
  if (out_.room() && refused_answer_ == nullptr) next = std::min(next, std::max(acks_.next_ready(), to_own_l1_.opens_at()));
  return next == kNever ? kNever : std::max(next, now + 1);
}

unsigned HomeRouter::debug(unsigned port, tlm::tlm_generic_payload& transaction) {
  const DebugWay& way = port == kFromSm ? home : below;
  return way ? way(transaction) : 0;
}

void HomeRouter::inspect(std::vector<Wait>& waits) const {
  const std::string path = "shared_l1[" + std::to_string(core_) + "]";
  const auto wait = [&](const char* what, const std::string& resource, const Access& access) {
    waits.push_back({path + what, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  const std::string own_l1 = "l1[" + std::to_string(core_) + "]";
  if (!requests_.empty()) wait(".requests", path + ".to_network", requests_.front().access());
  if (pending_local_ != nullptr) wait(".local", own_l1 + ".bank[0]", pending_local_->access());
  if (inputs_[kFromPeer].pending != nullptr) wait(".in", own_l1 + ".remote", inputs_[kFromPeer].pending->access());
  if (!acks_.empty()) wait(".acks", path + ".out", acks_.front().access());
  if (!out_.empty()) wait(".out", path + ".to_network", out_.front().access);
  if (refused_answer_ != nullptr) wait(".answer", path + ".out", refused_answer_->access());
}

void HomeRouter::archive(Archive& file) {
  bool quiet = out_.empty() && refused_answer_ == nullptr && pending_local_ == nullptr && !forwarding_;
  for (const RequestQueue* queue : {&requests_, &from_l1_, &acks_}) quiet = quiet && queue->empty() && !queue->waiting();
  for (const Input& input : inputs_) quiet = quiet && input.pending == nullptr;
  file.expect_quiet(quiet, name());
  for (Output& output : outputs_) file(output.outlet);
  file(committed_, core_turn_, sent_request_, sent_fetch_, logic_);
}

}  // namespace wharf

#include "model/designs/morpheus/controller/bank_port.h"

#include <algorithm>

#include "model/tlm/debug_access.h"

namespace wharf {

BankPort::BankPort(const std::string& name, BankOwner& owner, unsigned number, ClockDomain& clock, ClockDomain::BlockId block,
                   SectorContents* contents)
    : owner_(owner),
      number_(number),
      contents_(contents),
      clock_(clock),
      block_(block),
      upstream_(name + "_upstream", *this, 0),
      downstream_(name + "_downstream", *this, 0) {}

Acceptance BankPort::request(unsigned, Payload& payload, Picoseconds at) {
  if (!owner_.stalled()) return pass_request(payload, at);
  held_ = &payload;
  owner_.port_changed(number_);
  return Acceptance::pending;
}

unsigned BankPort::debug(unsigned, tlm::tlm_generic_payload& transaction) {
  return debug_through(
      transaction, contents_, [this](LineAddress line, SectorVersions& versions) { return owner_.held(line, versions); },
      [this](tlm::tlm_generic_payload& part) { return downstream_.debug(part); });
}

Acceptance BankPort::pass_request(Payload& payload, Picoseconds at) {
  const Acceptance diverted = owner_.divert(number_, payload, at);
  if (diverted != Acceptance::completed) return diverted;
  const Acceptance acceptance = downstream_.send(payload, at - present());
  if (acceptance == Acceptance::pending) passing_ = &payload;
  return acceptance;
}

void BankPort::admit(Cycle now) {
  if (buffered_left_ < now) {
    buffered_left_ = kNever;
    owner_.buffered_reply_left();
  }
  if (held_ == nullptr || owner_.stalled()) return;
  Payload& payload = *held_;
  held_ = nullptr;
  payload.stages().claim_to(Stage::l2_queue, present() + clock_.delay(1));
  if (pass_request(payload, present() + clock_.delay(1)) != Acceptance::pending) upstream_.accept(payload, clock_.delay(1));
}

void BankPort::request_accepted(unsigned, Picoseconds at) {
  Payload& payload = *passing_;
  passing_ = nullptr;
  upstream_.accept(payload, at - present());
}

bool BankPort::response(unsigned, Payload& payload, Picoseconds at) {
  const Cycle now = clock_.present_cycle();
  if (blocked_ != nullptr || free_ > now || own_turn_) {
    slice_waits_ = &payload;
    owner_.port_changed(number_);
    clock_.wake(block_, now + 1);
    return false;
  }
  passed_ = now;
  if (upstream_.respond(payload, at - present())) return true;
  blocked_ = &payload;
  blocked_own_ = false;
  return false;
}

void BankPort::response_accepted(unsigned, Picoseconds at) {
  Payload& payload = *blocked_;
  blocked_ = nullptr;
  free_ = clock_.cycle_at(at);
  if (!blocked_own_) downstream_.end_response(payload, at - present());
  if (blocked_own_ && blocked_buffered_) {
    buffered_left_ = clock_.present_cycle();
    owner_.port_changed(number_);
    clock_.wake(block_, buffered_left_ + 1);
  }
  if (!replies_.empty() || slice_waits_ != nullptr) clock_.wake(block_, std::max(free_, clock_.present_cycle() + 1));
}

void BankPort::commit(Cycle now) {
  const bool own = own_ready(now);
  if (passed_ == now) own_turn_ = own;
  if (passed_ == now || blocked_ != nullptr || free_ > now) return;
  if (slice_waits_ != nullptr && !(own && own_turn_)) {
    send_slices(now);
    own_turn_ = own;
  } else if (own) {
    send_own();
    own_turn_ = false;
  }
}

void BankPort::send_slices(Cycle) {
  Payload& payload = *slice_waits_;
  slice_waits_ = nullptr;
  if (upstream_.respond(payload, clock_.delay(1))) {
    downstream_.end_response(payload, clock_.delay(1));
  } else {
    blocked_ = &payload;
    blocked_own_ = false;
  }
}

void BankPort::send_own() {
  const Reply reply = replies_.front();
  replies_.erase(replies_.begin());
  if (upstream_.respond(*reply.payload, clock_.delay(1))) {
    if (reply.buffered) owner_.buffered_reply_left();
  } else {
    blocked_ = reply.payload;
    blocked_own_ = true;
    blocked_buffered_ = reply.buffered;
  }
}

Cycle BankPort::next(Cycle now) const {
  if (blocked_ != nullptr) return kNever;
  Cycle next = kNever;
  if (!replies_.empty()) next = std::max({replies_.front().ready, free_, now + 1});
  if (slice_waits_ != nullptr) next = std::min(next, std::max(free_, now + 1));
  return next;
}

}  // namespace wharf

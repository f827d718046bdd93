#include "model/tlm/gates/foreign_target.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/error.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/gates/gate_process.h"
#include "model/tlm/memory_link.h"

namespace wharf {

namespace {

bool writes(const Access& access) { return access.kind == AccessKind::store || access.kind == AccessKind::atomic; }
unsigned first_of(SectorMask sectors) { return lowest_sector(sectors); }

/// The sectors up to the first gap.
SectorMask first_run(SectorMask sectors) {
  const unsigned first = first_of(sectors);
  unsigned end = first;
  while (sectors >> end & 1) ++end;
  return static_cast<SectorMask>((1u << end) - (1u << first));
}

}  // namespace

ForeignTarget::ForeignTarget(MemoryInitiator& owner, unsigned index, tlm::tlm_initiator_socket<>& socket)
    : owner_(owner), index_(index), socket_(socket), terms_(owner.gate_terms(index)), options_(gate_options(socket)) {
  spawn_gate([this] { work(); }, work_, "foreign_target");
}

/// The request of a memory to which the transaction belongs; null if there is none.
ForeignTarget::Out* ForeignTarget::find(const GenericPayload& transaction) {
  for (const auto& out : outgoing_)
    if (out->transaction == &transaction) return out.get();
  return nullptr;
}

ForeignTarget::Out& ForeignTarget::outgoing_of(const Payload& payload) {
  return **std::find_if(outgoing_.begin(), outgoing_.end(), [&](const auto& out) { return out->payload == &payload; });
}

ForeignTarget::Out& ForeignTarget::add(Payload& payload, Picoseconds at) {
  if (free_.empty()) free_.push_back(std::make_unique<Out>());
  outgoing_.push_back(std::move(free_.back()));
  free_.pop_back();
  Out& out = *outgoing_.back();
  out.payload = &payload;
  out.transaction = nullptr;
  out.state = State::waiting;
  out.unsent = payload.access().sectors;
  out.owner_waits = out.end_pending = false;
  out.at = at;
  const Access& access = payload.access();
  for (unsigned s = 0; s < kSectorsPerLine && writes(access) && payload.contents() != nullptr; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    const SectorBytes bytes = payload.contents()->read(access.line, s, payload.versions()[s]);
    std::transform(bytes.begin(), bytes.end(), out.data.begin() + s * kSectorBytes,
                   [](std::byte b) { return static_cast<unsigned char>(b); });
  }
  return out;
}

void ForeignTarget::remove(Out& out) {
  const auto it = std::find_if(outgoing_.begin(), outgoing_.end(), [&](const auto& other) { return other.get() == &out; });
  free_.push_back(std::move(*it));
  outgoing_.erase(it);
  if (!outgoing_.empty())
    wake(present());
  else if (std::exchange(watching_, false))
    watchdog_.cancel();
}

/// A port of this model has received the request, so from now on the exchange is between the two blocks.
void ForeignTarget::finish_request(Out& out) {
  passed_[out.payload] = out.transaction;
  remove(out);
}

/// True if the request may be sent: no other is being sent, and it overtakes none that it must not overtake.
bool ForeignTarget::can_send(const Out& out) const {
  bool older = true;
  for (const auto& other : outgoing_) {
    if (other.get() == &out) {
      older = false;
      continue;
    }
    if (other->state == State::requested || (older && other->state == State::waiting)) return false;
    const bool same_line = other->payload->access().line == out.payload->access().line;
    const bool pair = writes(other->payload->access()) || writes(out.payload->access());
    if (older && same_line && pair && other->state <= State::accepted) return false;
  }
  return true;
}

/// True if the block has not taken the last answer, so that the next must wait.
bool ForeignTarget::holds_answer() const {
  return refused_ != nullptr || std::any_of(outgoing_.begin(), outgoing_.end(), [](const auto& out) { return out->state == State::held; });
}

/// Makes the transaction for the sectors to be sent now.
void ForeignTarget::prepare(Out& out) {
  const bool write = writes(out.payload->access());
  out.sent = write && !byte_enables_ ? first_run(out.unsent) : out.unsent;
  out.transaction = &link_.open();
  if (write)
    out.transaction->set_write(*out.payload, out.sent, out.payload->contents() == nullptr ? SectorMask{0} : out.sent, out.data);
  else
    out.transaction->set_read(*out.payload, out.sent);
}

/// Sends a request. `late`: the block's own call has already returned.
ForeignTarget::Sent ForeignTarget::send(Out& out, bool late) {
  prepare(out);
  LinkTransaction& transaction = *out.transaction;
  out.state = State::requested;
  out.since = present();
  Sent sent{tlm::TLM_ACCEPTED, tlm::BEGIN_REQ, false, false};
  const sc_core::sc_time asked = after(std::max({out.at, request_free_, present()}) - present());
  sc_core::sc_time time = asked;
  Out* const outer = std::exchange(calling_, &out);
  sent.status = socket_->nb_transport_fw(transaction, sent.phase, time);
  calling_ = outer;
  sent.passed = transaction.received() && find(transaction) == nullptr;  // handed over during the call
  if (sent.passed) return sent;
  const bool completed = sent.status == tlm::TLM_COMPLETED, accepted = sent.status == tlm::TLM_UPDATED && sent.phase == tlm::END_REQ;
  if (transaction.received() && time == asked && (sent.status == tlm::TLM_ACCEPTED || accepted || (completed && !late))) {
    sent.passed = true;
    completed ? end_response(out, 0) : finish_request(out);
    return sent;
  }
  sent.accepted = sent.status != tlm::TLM_ACCEPTED || out.state != State::requested;
  if (sent.status == tlm::TLM_ACCEPTED) return sent;
  out.at = ClockEdges::time_of_call(time, socket_.name());
  out.state = State::accepted;
  out.end_pending = !completed && !accepted;
  if (completed || !accepted) receive_answer(out, out.at);
  return sent;
}

tlm::tlm_sync_enum ForeignTarget::nb_transport_fw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  const LinkTransactions::Call call(link_);
  Payload& payload = Payload::of(transaction);
  const Picoseconds at = present() + time.value();
  if (phase == tlm::END_RESP) {
    end_response(payload, time.value());
    return tlm::TLM_COMPLETED;
  }
  Out& out = add(payload, at);
  out.owner_waits = true;
  Sent sent{};
  if (can_send(out)) sent = send(out, false);
  if (sent.passed) {
    phase = sent.phase;
    return sent.status;
  }
  watch();
  if (!sent.accepted) return tlm::TLM_ACCEPTED;
  request_free_ = out.state == State::accepted ? out.at : at;
  if (out.state != State::accepted || out.at > at) wake(out.at);
  if (out.at > at && out.state == State::accepted) return tlm::TLM_ACCEPTED;
  out.owner_waits = false;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum ForeignTarget::backward(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  const LinkTransactions::Call call(link_);
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;  // an extended phase of the module
  const Picoseconds at = ClockEdges::time_of_call(time, socket_.name());
  auto* const link = dynamic_cast<LinkTransaction*>(&transaction);
  Out* out = find(transaction);
  if (link != nullptr && link->received()) {
    // A module in between may pass the request on only after its own call has returned.
    if (out != nullptr && (out->state == State::requested || (out->state == State::accepted && !out->owner_waits))) {
      finish_request(*out);
      out = nullptr;
    }
    if (out == nullptr) return pass_phase_back(*link, phase, at);
  }
  if (out == nullptr) throw SimulationError(std::string(socket_.name()) + ": a phase of a transaction that is not in flight");
  out->since = present();
  if (phase == tlm::END_REQ) {
    if (out->state == State::requested) out->state = State::accepted;
    out->at = at;
    if (calling_ != out) accepted(*out, at);
    return tlm::TLM_ACCEPTED;
  }
  if (out->state != State::requested && out->state != State::accepted)
    throw SimulationError(std::string(socket_.name()) + ": a second BEGIN_RESP of a transaction");
  out->end_pending = true;
  receive_answer(*out, at);
  if (calling_ == out) return tlm::TLM_ACCEPTED;  // the block learns of the answer when its own call returns
  accepted(*out, at);
  if (out->state != State::answered || !is_due(*out) || holds_answer()) {
    wake(out->at);
  } else if (deliver(*out)) {
    remove(*out);
    return taken(*link, phase);
  }
  return tlm::TLM_ACCEPTED;
}

/// Handles a phase from the block that has received the request.
tlm::tlm_sync_enum ForeignTarget::pass_phase_back(LinkTransaction& transaction, tlm::tlm_phase& phase, Picoseconds at) {
  Payload& payload = transaction.represented();
  const auto passed = passed_.find(&payload);
  if (passed == passed_.end()) throw SimulationError(std::string(socket_.name()) + ": a phase of a transaction that is not in flight");
  if (phase == tlm::END_REQ) {
    owner_.request_accepted(index_, at);
    return tlm::TLM_ACCEPTED;
  }
  passed_.erase(passed);  // the block may send the payload again
  if (holds_answer()) {   // the module in between also has answers of others
    Out& out = add(payload, at);
    out.transaction = &transaction;
    out.state = State::answered;
    out.end_pending = true;
    return tlm::TLM_ACCEPTED;
  }
  if (owner_.response(index_, payload, at)) return taken(transaction, phase);
  passed_[&payload] = &transaction;
  refused_ = &payload;
  return tlm::TLM_ACCEPTED;
}

/// Handles an answer that the block has taken within the module's call.
tlm::tlm_sync_enum ForeignTarget::taken(LinkTransaction& transaction, tlm::tlm_phase& phase) {
  if (options_.phases == GatePhases::four) {
    ending_.push_back(&transaction);
    work_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  link_.end(transaction);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

/// Tells the owner, unless it already knows, that it may send its next request.
void ForeignTarget::accepted(Out& out, Picoseconds at) {
  request_free_ = std::max(request_free_, at);
  if (std::exchange(out.owner_waits, false)) {
    if (terms_.clock != nullptr) terms_.clock->refresh();
    owner_.request_accepted(index_, std::max(at, present()));
  }
  for (const auto& other : outgoing_)
    if (other->state == State::waiting) return wake(at);
}

/// Handles an answer that the block now takes after refusing it.
void ForeignTarget::end_response(Payload& payload, Picoseconds delay) {
  const auto passed = passed_.find(&payload);
  if (passed == passed_.end()) return end_response(outgoing_of(payload), delay);
  refused_ = nullptr;
  LinkTransaction& transaction = *passed->second;
  passed_.erase(passed);
  send_end(transaction, delay);
  link_.end(transaction);
  if (!outgoing_.empty()) wake(present());
}

void ForeignTarget::send_end(LinkTransaction& transaction, Picoseconds delay) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time time = after(delay);
  socket_->nb_transport_fw(transaction, phase, time);
}

/// Ends the transaction, which the block no longer needs.
void ForeignTarget::end_transaction(Out& out, Picoseconds delay) {
  if (std::exchange(out.end_pending, false)) send_end(*out.transaction, delay);
  link_.end(*std::exchange(out.transaction, nullptr));
}

void ForeignTarget::end_response(Out& out, Picoseconds delay) {
  end_transaction(out, delay);
  remove(out);
}

/// Does the work that was due but impossible during the call that caused it.
void ForeignTarget::work() {
  const LinkTransactions::Call call(link_);
  for (LinkTransaction* transaction : std::exchange(ending_, {})) {
    send_end(*transaction, 0);
    link_.end(*transaction);
  }
  for (std::size_t i = 0; i < outgoing_.size(); ++i)
    if (advance(*outgoing_[i])) i = static_cast<std::size_t>(-1);  // others may have waited for it
  for (const auto& out : outgoing_)
    if ((out->state == State::answered && !holds_answer()) || (out->state == State::accepted && out->owner_waits)) wake(out->at);
}

/// Advances a request. Returns true if the gate no longer has it.
bool ForeignTarget::advance(Out& out) {
  if (out.state == State::accepted && out.owner_waits && is_due(out)) accepted(out, out.at);
  if (out.state == State::waiting && out.transaction != nullptr)  // from the previous run of sectors
    end_transaction(out, std::max(out.at, present()) - present());
  if (out.state == State::waiting && can_send(out)) {
    const bool owner_waits = out.owner_waits;
    const Sent sent = send(out, true);
    if (sent.passed && sent.status == tlm::TLM_UPDATED && owner_waits) owner_.request_accepted(index_, present());
    if (sent.passed) return true;
    if (sent.accepted) accepted(out, std::max(out.at, present()));
  }
  if (out.state != State::answered || !is_due(out) || holds_answer() || !deliver(out)) return false;
  end_response(out, std::max(out.at, present()) - present());
  return true;
}

/// Wakes the gate at `at`; for an answer, in the cycle before the block sees it.
void ForeignTarget::wake(Picoseconds at) {
  if (terms_.clock != nullptr && at > present()) {
    const Cycle cycle = terms_.clock->cycle_at(at);
    at = cycle == 0 ? at : std::max(present(), terms_.clock->edge(cycle - 1));
  }
  if (at <= present())
    work_.notify(sc_core::SC_ZERO_TIME);
  else
    work_.notify(after(at - present()));
}

/// Adds the bytes of stores that the module has not answered, because they may not be in its memory yet.
unsigned ForeignTarget::transport_dbg(GenericPayload& transaction) {
  const unsigned bytes = socket_->transport_dbg(transaction);
  if (!transaction.is_read()) return bytes;
  for (const auto& out : outgoing_) {
    const Access& access = out->payload->access();
    if (!writes(access) || out->payload->contents() == nullptr) continue;
    for (unsigned i = 0; i < bytes; ++i) {
      const Address offset = transaction.get_address() + i - access.line.byte_address();
      if (offset < kLineBytes && (access.sectors >> (offset / kSectorBytes) & 1) != 0) transaction.get_data_ptr()[i] = out->data[offset];
    }
  }
  return bytes;
}

}  // namespace wharf

#include "model/tlm/foreign_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/error.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/gate_process.h"
#include "model/tlm/memory_link.h"

namespace wharf {

namespace {

bool writes(const Access& access) { return access.kind == AccessKind::store || access.kind == AccessKind::atomic; }
unsigned first_of(SectorMask sectors) { return lowest_sector(sectors); }
unsigned last_of(SectorMask sectors) { return 31u - static_cast<unsigned>(__builtin_clz(sectors)); }
bool has_gap(SectorMask sectors) { return last_of(sectors) - first_of(sectors) + 1 != sector_count(sectors); }

/// The sectors up to the first gap.
SectorMask first_run(SectorMask sectors) {
  const unsigned first = first_of(sectors);
  unsigned end = first;
  while (sectors >> end & 1) ++end;
  return static_cast<SectorMask>((1u << end) - (1u << first));
}

const sc_core::sc_object* find_export(const std::vector<sc_core::sc_object*>& objects, const sc_core::sc_interface& interface) {
  for (sc_core::sc_object* object : objects) {
    auto* exported = dynamic_cast<sc_core::sc_export_base*>(object);
    if (exported != nullptr && exported->get_interface() == &interface) return object;
    if (const sc_core::sc_object* found = find_export(object->get_child_objects(), interface)) return found;
  }
  return nullptr;
}

/// The name of the socket that an interface belongs to, for messages.
std::string name_of_target(const sc_core::sc_interface& target) {
  const sc_core::sc_object* socket = find_export(sc_core::sc_get_top_level_objects(), target);
  return socket == nullptr ? "the module behind it" : socket->name();
}

}  // namespace

ForeignTarget::ForeignTarget(MemoryInitiator& owner, unsigned index, tlm::tlm_initiator_socket<>& socket)
    : owner_(owner), index_(index), socket_(socket), terms_(owner.gate_terms(index)) {
  spawn_gate([this] { work(); }, work_, "foreign_target");
}

ForeignTarget::Out& ForeignTarget::find(const GenericPayload& transaction) {
  for (const auto& out : outs_)
    if (out->payload == &transaction) return *out;
  throw SimulationError(std::string(socket_.name()) + ": a phase of a transaction that is not in flight");
}

ForeignTarget::Out& ForeignTarget::add(Payload& payload, Picoseconds at) {
  if (free_.empty()) free_.push_back(std::make_unique<Out>());
  outs_.push_back(std::move(free_.back()));
  free_.pop_back();
  Out& out = *outs_.back();
  out.payload = &payload;
  out.state = State::waiting;
  out.todo = payload.access().sectors;
  out.owner_waits = out.owes_end = false;
  out.at = at;
  payload.acquire();
  payload.passed() = false;
  const Access& access = payload.access();
  for (unsigned s = 0; s < kSectorsPerLine && writes(access) && payload.contents() != nullptr; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    const SectorBytes bytes = payload.contents()->read(access.line, s, payload.versions()[s]);
    std::transform(bytes.begin(), bytes.end(), out.data.begin() + s * kSectorBytes, [](std::byte b) { return static_cast<unsigned char>(b); });
  }
  return out;
}

/// Removes an entry and restores its payload.
void ForeignTarget::remove(Out& out) {
  Payload& payload = *out.payload;
  payload.set_data_ptr(nullptr);
  payload.set_data_length(kLineBytes);
  payload.set_streaming_width(kLineBytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_address(payload.access().line.byte_address());
  payload.release();
  const auto it = std::find_if(outs_.begin(), outs_.end(), [&](const auto& other) { return other.get() == &out; });
  free_.push_back(std::move(*it));
  outs_.erase(it);
  if (!outs_.empty()) wake(present());
}

/// One request at a time may go, and none before a request that it must not overtake.
bool ForeignTarget::may_go(const Out& out) const {
  bool older = true;
  for (const auto& other : outs_) {
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

/// Gives the payload its data and attributes, for the sectors that go out now.
void ForeignTarget::prepare(Out& out) {
  Payload& payload = *out.payload;
  const bool write = writes(payload.access()), bytes = payload.contents() != nullptr;
  out.sent = write && !byte_enables_ ? first_run(out.todo) : out.todo;
  const unsigned first = first_of(out.sent) * kSectorBytes, length = (last_of(out.sent) + 1) * kSectorBytes - first;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(payload.access().line.byte_address() + first);
  payload.set_data_ptr(out.data.data() + first);
  payload.set_data_length(length);
  payload.set_streaming_width(length);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.set_dmi_allowed(false);
  const bool enables = write && (!bytes || has_gap(out.sent));
  for (unsigned s = 0; s < kSectorsPerLine && enables; ++s)
    std::fill_n(out.enables.begin() + s * kSectorBytes, kSectorBytes,
                static_cast<unsigned char>(bytes && (out.sent >> s & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED));
  payload.set_byte_enable_ptr(enables ? out.enables.data() + first : nullptr);
  payload.set_byte_enable_length(enables ? length : 0);
}

/// Sends a request; returns true where the module accepts it within the call.
bool ForeignTarget::send(Out& out) {
  prepare(out);
  out.state = State::requested;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time time = after(std::max({out.at, request_free_, present()}) - present());
  calling_ = &out;
  const tlm::tlm_sync_enum status = socket_->nb_transport_fw(*out.payload, phase, time);
  calling_ = nullptr;
  if (status == tlm::TLM_ACCEPTED) return out.state != State::requested;
  const Picoseconds at = present() + time.value();
  const bool answers = status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
  out.owes_end = status == tlm::TLM_UPDATED && answers;
  out.at = at;
  out.state = State::accepted;
  if (answers) take_answer(out, at);
  return true;
}

tlm::tlm_sync_enum ForeignTarget::nb_transport_fw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  const Picoseconds at = present() + time.value();
  if (phase == tlm::END_RESP) {
    end_response(find(transaction), time.value());
    return tlm::TLM_COMPLETED;
  }
  Out& out = add(Payload::of(transaction), at);
  out.owner_waits = true;
  if (!may_go(out) || !send(out)) return tlm::TLM_ACCEPTED;
  request_free_ = out.state == State::accepted ? out.at : at;
  if (out.state != State::accepted || out.at > at) wake(out.at);
  if (out.at > at && out.state == State::accepted) return tlm::TLM_ACCEPTED;
  out.owner_waits = false;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum ForeignTarget::backward(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;  // an extended phase of the module
  Out& out = find(transaction);
  const Picoseconds at = present() + time.value();
  if (phase == tlm::END_REQ) {
    if (out.state == State::requested) out.state = State::accepted;
    out.at = at;
    if (calling_ != &out) accepted(out, at);
    return tlm::TLM_ACCEPTED;
  }
  if (out.state != State::requested && out.state != State::accepted)
    throw SimulationError(std::string(socket_.name()) + ": a second BEGIN_RESP of a transaction");
  out.owes_end = true;
  take_answer(out, at);
  if (calling_ == &out) return tlm::TLM_ACCEPTED;  // the block learns of it when its own call has returned
  accepted(out, at);
  if (out.state != State::answered || !is_due(out)) {
    wake(out.at);
  } else if (deliver(out)) {
    remove(out);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  return tlm::TLM_ACCEPTED;
}

/// Tells the owner, unless it knows, that it may send its next request.
void ForeignTarget::accepted(Out& out, Picoseconds at) {
  request_free_ = std::max(request_free_, at);
  if (std::exchange(out.owner_waits, false)) {
    if (terms_.clock != nullptr) terms_.clock->refresh();
    owner_.request_accepted(index_, std::max(at, present()));
  }
  for (const auto& other : outs_)
    if (other->state == State::waiting) return wake(at);
}

/// The module has answered at time `at`: either the block will see the answer then, or more sectors must be sent.
void ForeignTarget::take_answer(Out& out, Picoseconds at) {
  Payload& payload = *out.payload;
  out.state = State::answered;
  out.at = at;
  if (!payload.passed()) {
    if (retry_without_enables(out)) return;
    if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) {
      throw SimulationError(fmt::format("{}: {} answered the {} at {:#x} with {}", socket_.name(),
                                        name_of_target(*socket_.operator->()),
                                        writes(payload.access()) ? "write" : "read", payload.get_address(), payload.get_response_string()));
    }
    take_data(out);
    payload.reply().served_by = ServedBy::dram;
  }
  out.todo &= static_cast<SectorMask>(~out.sent);
  if (out.todo != 0) out.state = State::waiting;
}

/// If byte enables were refused, sends the sectors run by run instead.
bool ForeignTarget::retry_without_enables(Out& out) {
  const bool refused = out.payload->get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (!refused || out.payload->get_byte_enable_ptr() == nullptr || out.payload->contents() == nullptr) return false;
  byte_enables_ = false;
  out.state = State::waiting;
  return true;
}

void ForeignTarget::take_data(Out& out) {
  Payload& payload = *out.payload;
  SectorContents* const contents = payload.contents();
  const Access& access = payload.access();
  for (unsigned s = 0; s < kSectorsPerLine && contents != nullptr; ++s) {
    if ((out.sent >> s & 1) == 0) continue;
    if (writes(access)) {
      contents->taken(access.line, s, payload.versions()[s]);
      continue;
    }
    SectorBytes bytes;
    std::transform(out.data.begin() + s * kSectorBytes, out.data.begin() + (s + 1) * kSectorBytes, bytes.begin(),
                   [](unsigned char b) { return static_cast<std::byte>(b); });
    payload.versions()[s] = contents->returned(access.line, s, bytes);
  }
}

Picoseconds ForeignTarget::seen_at(Picoseconds at) const {
  if (terms_.clock == nullptr) return std::max(at, present());
  const ClockDomain& clock = *terms_.clock;
  return clock.edge(std::max(clock.cycle_at(at), clock.present_cycle() + 1));
}

/// The block may learn of an answer one cycle early, as from any target.
bool ForeignTarget::is_due(const Out& out) const {
  if (terms_.clock == nullptr) return out.at <= present();
  return terms_.clock->cycle_at(out.at) <= terms_.clock->present_cycle() + 1;
}

/// Returns true where the block has taken the answer.
bool ForeignTarget::deliver(Out& out) {
  if (terms_.clock != nullptr) terms_.clock->refresh();
  out.state = State::held;
  return owner_.response(index_, *out.payload, seen_at(out.at));
}

void ForeignTarget::end_response(Out& out, Picoseconds delay) {
  if (std::exchange(out.owes_end, false)) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time time = after(delay);
    socket_->nb_transport_fw(*out.payload, phase, time);
  }
  remove(out);
}

/// Does the work that was due but impossible during the call that caused it.
void ForeignTarget::work() {
  for (std::size_t i = 0; i < outs_.size(); ++i) {
    Out& out = *outs_[i];
    if (out.state == State::accepted && out.owner_waits && is_due(out)) accepted(out, out.at);
    if (out.state == State::waiting && out.owes_end) {  // from the previous run of sectors
      out.owes_end = false;
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time time = after(std::max(out.at, present()) - present());
      socket_->nb_transport_fw(*out.payload, phase, time);
    }
    if (out.state == State::waiting && may_go(out) && send(out)) {
      accepted(out, std::max(out.at, present()));
    }
    if (out.state == State::answered && is_due(out) && deliver(out)) {
      end_response(out, std::max(out.at, present()) - present());
      i = static_cast<std::size_t>(-1);  // others may have waited for it
    }
  }
  for (const auto& out : outs_)
    if (out->state == State::answered || (out->state == State::accepted && out->owner_waits)) wake(out->at);
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

/// Stores that the module has not answered may not be in its memory yet.
unsigned ForeignTarget::transport_dbg(GenericPayload& transaction) {
  const unsigned bytes = socket_->transport_dbg(transaction);
  if (!transaction.is_read()) return bytes;
  for (const auto& out : outs_) {
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

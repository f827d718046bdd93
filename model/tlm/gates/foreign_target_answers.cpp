// The answers of a memory: their statuses and bytes, and the error if none comes for too long.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/base/error.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/gates/foreign_target.h"
#include "model/tlm/gates/gate_process.h"
#include "model/tlm/memory_link.h"

namespace wharf {

namespace {

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

std::string describe(const tlm::tlm_generic_payload& transaction) {
  return fmt::format("{} at {:#x}", transaction.is_write() ? "write" : "read", transaction.get_address());
}

}  // namespace

/// Handles the module's answer at time `at`: either the block will see it then, or more sectors must be sent.
void ForeignTarget::receive_answer(Out& out, Picoseconds at) {
  Payload& payload = *out.payload;
  const LinkTransaction& answer = *out.transaction;
  out.state = State::answered;
  out.at = at;
  if (answer.received()) return;
  if (retry_without_enables(out)) return;
  if (answer.get_response_status() != tlm::TLM_OK_RESPONSE)
    throw SimulationError(
        fmt::format("{}: {} answered the {} with {}", socket_.name(), partner(), describe(answer), answer.get_response_string()));
  copy_data(out);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  payload.reply().served_by = ServedBy::dram;
  out.unsent &= static_cast<SectorMask>(~out.sent);
  if (out.unsent != 0) out.state = State::waiting;
}

/// If byte enables were refused, sends the sectors run by run instead.
bool ForeignTarget::retry_without_enables(Out& out) {
  const LinkTransaction& answer = *out.transaction;
  const bool refused = answer.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (!refused || answer.get_byte_enable_ptr() == nullptr || out.payload->contents() == nullptr) return false;
  byte_enables_ = false;
  out.state = State::waiting;
  return true;
}

void ForeignTarget::copy_data(Out& out) {
  Payload& payload = *out.payload;
  SectorContents* const contents = payload.contents();
  const Access& access = payload.access();
  for (unsigned s = 0; s < kSectorsPerLine && contents != nullptr; ++s) {
    if ((out.sent >> s & 1) == 0) continue;
    if (access.kind == AccessKind::store || access.kind == AccessKind::atomic) {
      contents->mark_accepted(access.line, s, payload.versions()[s]);
      continue;
    }
    SectorBytes bytes;
    std::transform(out.transaction->line_bytes().begin() + s * kSectorBytes, out.transaction->line_bytes().begin() + (s + 1) * kSectorBytes,
                   bytes.begin(), [](unsigned char b) { return static_cast<std::byte>(b); });
    payload.versions()[s] = contents->returned(access.line, s, bytes);
  }
}

Picoseconds ForeignTarget::seen_at(Picoseconds at) const {
  if (terms_.clock == nullptr) return std::max(at, present());
  const ClockDomain& clock = *terms_.clock;
  return clock.edge(std::max(clock.cycle_at(at), clock.present_cycle() + 1));
}

/// True if the block may learn of the answer, which is possible one cycle early, as from any target.
bool ForeignTarget::is_due(const Out& out) const {
  if (terms_.clock == nullptr) return out.at <= present();
  return terms_.clock->cycle_at(out.at) <= terms_.clock->present_cycle() + 1;
}

/// Gives the answer to the block. Returns true if the block has taken it.
bool ForeignTarget::deliver(Out& out) {
  if (terms_.clock != nullptr) terms_.clock->refresh();
  out.state = State::held;
  return owner_.response(index_, *out.payload, seen_at(out.at));
}

/// Starts to watch for an overdue phase of a memory that has a request, unless the gate already does.
void ForeignTarget::watch() {
  if (options_.stall == sc_core::SC_ZERO_TIME || std::exchange(watching_, true)) return;
  if (!std::exchange(has_watchdog_, true)) spawn_gate([this] { check_stall(); }, watchdog_, "foreign_target_stall");
  watchdog_.notify(options_.stall);
}

void ForeignTarget::check_stall() {
  const Picoseconds limit = options_.stall.value();
  Picoseconds next = present() + limit;
  for (const auto& out : outgoing_) {
    if (out->state != State::requested && out->state != State::accepted) continue;
    if (present() - out->since >= limit)
      throw SimulationError(
          fmt::format("{}: {} has sent no {} for the {} in {} ps, though it has the request; a longer time is set with "
                      "GateOptions::stall",
                      socket_.name(), partner(), out->state == State::requested ? "END_REQ or BEGIN_RESP" : "BEGIN_RESP",
                      describe(*out->transaction), present() - out->since));
    next = std::min(next, out->since + limit);
  }
  watchdog_.notify(after(next - present()));
}

/// The name of what is bound to the block, for messages.
std::string ForeignTarget::partner() const { return name_of_target(*socket_.operator->()); }

}  // namespace wharf

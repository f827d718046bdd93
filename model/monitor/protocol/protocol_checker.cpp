#include "model/monitor/protocol/protocol_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/error.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/payload.h"

namespace wharf {

namespace {

/// The access of a transaction; a foreign transaction has none.
std::optional<std::uint64_t> access_of(const tlm::tlm_generic_payload& transaction) {
  const auto* extension = transaction.get_extension<AccessExtension>();
  if (extension == nullptr) return std::nullopt;
  return extension->carried().access.id;
}

std::string describe(sc_dt::uint64 address, std::optional<std::uint64_t> access) {
  return fmt::format("transaction {:#x}, {}", address, access ? fmt::format("access {}", *access) : "no access id");
}

}  // namespace

const char* name_of(ProtocolRule rule) {
  switch (rule) {
    case ProtocolRule::phase_order:
      return "phase order";
    case ProtocolRule::request_exclusion:
      return "request exclusion";
    case ProtocolRule::response_exclusion:
      return "response exclusion";
    case ProtocolRule::return_value:
      return "return value";
    case ProtocolRule::unknown_transaction:
      return "unknown transaction";
    case ProtocolRule::reuse:
      return "reuse of a live transaction";
    case ProtocolRule::time_order:
      return "order of annotated times";
    case ProtocolRule::past_time:
      return "annotated time in the past";
    case ProtocolRule::response_status:
      return "response status";
    case ProtocolRule::initial_attributes:
      return "initial attributes";
    case ProtocolRule::immutable_attributes:
      return "immutable attributes";
    case ProtocolRule::memory_management:
      return "memory management";
    case ProtocolRule::blocking_call:
      return "blocking calls";
    case ProtocolRule::debug_access:
      return "debug access";
    case ProtocolRule::direct_memory:
      return "direct memory";
    case ProtocolRule::time_taken:
      return "time taken";
  }
  return "unknown rule";
}

ProtocolChecker::ProtocolChecker(sc_core::sc_module_name name, LinkKind kind) : PassThrough(name), kind_(kind) {}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  check_call(transaction, time);
  const sc_core::sc_time sent = time;
  if (kind_ == LinkKind::lookup) violate(ProtocolRule::phase_order, transaction, "a phase on a lookup link");
  if (phase == tlm::BEGIN_REQ) {
    const std::uint64_t serial = begin_request(transaction, time);
    const tlm::tlm_sync_enum status = PassThrough::nb_transport_fw(transaction, phase, time);
    request_returned(transaction, serial, status, phase, sent, time);
    return status;
  }
  if (phase != tlm::END_RESP || kind_ == LinkKind::message)
    violate(ProtocolRule::phase_order, transaction, fmt::format("{} on the forward path", phase.get_name()));
  end_response(transaction, time);
  const LiveAttributes attributes(transaction);
  const tlm::tlm_sync_enum status = PassThrough::nb_transport_fw(transaction, phase, time);
  if (status == tlm::TLM_UPDATED)
    violate(ProtocolRule::return_value, transaction, "TLM_UPDATED to END_RESP, after which there is no phase");
  check_ended(transaction, attributes, "END_RESP");
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  check_call(transaction, time);
  const sc_core::sc_time sent = time;
  const auto known = open_.find(&transaction);
  const std::uint64_t serial = known == open_.end() ? 0 : known->second.serial;
  if (phase == tlm::BEGIN_RESP) {
    begin_response(transaction, time);
    const tlm::tlm_sync_enum status = PassThrough::nb_transport_bw(transaction, phase, time);
    response_returned(transaction, serial, status, phase, sent, time);
    return status;
  }
  if (phase != tlm::END_REQ || kind_ == LinkKind::message)
    violate(ProtocolRule::phase_order, transaction, fmt::format("{} on the backward path", phase.get_name()));
  end_request(transaction, time);
  const tlm::tlm_sync_enum status = PassThrough::nb_transport_bw(transaction, phase, time);
  if (status != tlm::TLM_ACCEPTED)
    violate(ProtocolRule::return_value, transaction,
            "END_REQ answered by something other than TLM_ACCEPTED: the target owns the next phase");
  check_unchanged(transaction, tlm::END_REQ, phase, sent, time);
  return status;
}

void ProtocolChecker::b_transport(GenericPayload& transaction, sc_core::sc_time& time) {
  const Picoseconds called_at = present() + time.value();
  check_sent(transaction);
  if (transaction.has_mm() && transaction.get_ref_count() < 1)
    violate(ProtocolRule::memory_management, transaction, "nobody holds a reference");
  if (kind_ != LinkKind::lookup && sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    violate(ProtocolRule::blocking_call, transaction, "b_transport from a method process, which cannot wait");
  if (open_.count(&transaction) != 0)
    violate(ProtocolRule::blocking_call, transaction, "b_transport of a transaction that is under way with phases");
  const LiveAttributes asked(transaction);
  PassThrough::b_transport(transaction, time);
  check_status(transaction, "at the end of b_transport");
  if (const char* changed = asked.difference(transaction))
    violate(ProtocolRule::immutable_attributes, transaction, fmt::format("{} has changed by the answer", changed));
  if (kind_ == LinkKind::lookup && present() + time.value() != called_at)
    violate(ProtocolRule::time_taken, transaction, "a lookup took time");
  if (kind_ == LinkKind::lookup) ++completed_;
}

unsigned ProtocolChecker::transport_dbg(GenericPayload& transaction) {
  if (transaction.get_data_length() > 0 && transaction.get_data_ptr() == nullptr)
    violate(ProtocolRule::debug_access, transaction, "no data pointer");
  const unsigned served = PassThrough::transport_dbg(transaction);
  if (served > transaction.get_data_length())
    violate(ProtocolRule::debug_access, transaction, fmt::format("{} bytes returned of {}", served, transaction.get_data_length()));
  return served;
}

bool ProtocolChecker::get_direct_mem_ptr(GenericPayload& transaction, tlm::tlm_dmi& dmi) {
  const bool fresh = dmi.get_dmi_ptr() == nullptr && dmi.is_none_allowed() && dmi.get_start_address() == 0 &&
                     dmi.get_end_address() == ~sc_dt::uint64{0} && dmi.get_read_latency() == sc_core::SC_ZERO_TIME &&
                     dmi.get_write_latency() == sc_core::SC_ZERO_TIME;
  if (!fresh) violate(ProtocolRule::direct_memory, transaction, "the descriptor is not as its constructor makes it");
  return PassThrough::get_direct_mem_ptr(transaction, dmi);
}

/// Checks that apply to every transaction when it is sent.
void ProtocolChecker::check_sent(const GenericPayload& transaction) {
  if (transaction.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    violate(ProtocolRule::response_status, transaction, "set before the request was sent");
  const std::string wrong = wrong_at_start(transaction);
  if (!wrong.empty()) violate(ProtocolRule::initial_attributes, transaction, wrong);
}

/// Checks that apply to every call.
void ProtocolChecker::check_call(const GenericPayload& transaction, const sc_core::sc_time& time) {
  constexpr Picoseconds kWrapped = Picoseconds{1} << 63;
  if (!transaction.has_mm()) violate(ProtocolRule::memory_management, transaction, "no memory manager");
  if (transaction.get_ref_count() < 1) violate(ProtocolRule::memory_management, transaction, "nobody holds a reference");
  if (time.value() >= kWrapped)
    violate(ProtocolRule::past_time, transaction, fmt::format("annotated {} ps before the present", Picoseconds{0} - time.value()));
}

std::uint64_t ProtocolChecker::begin_request(const GenericPayload& transaction, const sc_core::sc_time& time) {
  if (open_.count(&transaction) != 0) violate(ProtocolRule::reuse, transaction, "BEGIN_REQ for a transaction that has not ended");
  if (request_ != nullptr)
    violate(ProtocolRule::request_exclusion, transaction,
            fmt::format("BEGIN_REQ while {} has not been accepted", describe(open_.at(request_))));
  check_sent(transaction);
  const Picoseconds at = present() + time.value();
  open_.emplace(&transaction, Open{LiveAttributes(transaction), access_of(transaction), ++serial_, at, at});
  request_ = &transaction;
  return serial_;
}

void ProtocolChecker::request_returned(const GenericPayload& transaction, std::uint64_t serial, tlm::tlm_sync_enum status,
                                       const tlm::tlm_phase& phase, const sc_core::sc_time& sent, const sc_core::sc_time& time) {
  if (status == tlm::TLM_ACCEPTED) {
    check_unchanged(transaction, tlm::BEGIN_REQ, phase, sent, time);
    if (const Open* open = find(transaction, serial)) check_attributes(transaction, *open, "the return of BEGIN_REQ");
    return;
  }
  if (find(transaction, serial) == nullptr)
    violate(ProtocolRule::return_value, transaction, "BEGIN_REQ returns an answer though the transaction ended during the call");
  if (status == tlm::TLM_COMPLETED) {
    check_ended(transaction, find(transaction, serial)->attributes, "the return of BEGIN_REQ");
    return complete(transaction, time);
  }
  if (kind_ == LinkKind::memory && phase == tlm::END_REQ) return end_request(transaction, time);
  if (kind_ == LinkKind::memory && phase == tlm::BEGIN_RESP) return begin_response(transaction, time);
  violate(ProtocolRule::return_value, transaction, fmt::format("TLM_UPDATED from BEGIN_REQ to {}", phase.get_name()));
}

void ProtocolChecker::response_returned(const GenericPayload& transaction, std::uint64_t serial, tlm::tlm_sync_enum status,
                                        const tlm::tlm_phase& phase, const sc_core::sc_time& sent, const sc_core::sc_time& time) {
  if (kind_ == LinkKind::message && status != tlm::TLM_COMPLETED)
    violate(ProtocolRule::return_value, transaction, "BEGIN_RESP of a message answered by something other than TLM_COMPLETED");
  if (status == tlm::TLM_ACCEPTED) return check_unchanged(transaction, tlm::BEGIN_RESP, phase, sent, time);
  if (find(transaction, serial) == nullptr)
    violate(ProtocolRule::return_value, transaction, "BEGIN_RESP returns an answer though END_RESP was sent during the call");
  if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)
    violate(ProtocolRule::return_value, transaction, fmt::format("TLM_UPDATED from BEGIN_RESP to {}", phase.get_name()));
  check_ended(transaction, find(transaction, serial)->attributes, "the return of BEGIN_RESP");
  finish(transaction);
}

void ProtocolChecker::end_request(const GenericPayload& transaction, const sc_core::sc_time& time) {
  Open& open = advance(transaction, time, "END_REQ");
  if (open.state != State::requested) violate(ProtocolRule::phase_order, transaction, "END_REQ for a request that has been accepted");
  open.state = State::request_ended;
  request_ = nullptr;
}

void ProtocolChecker::begin_response(const GenericPayload& transaction, const sc_core::sc_time& time) {
  Open& open = advance(transaction, time, "BEGIN_RESP");
  if (open.state == State::responding) violate(ProtocolRule::phase_order, transaction, "a second BEGIN_RESP");
  if (response_ != nullptr)
    violate(ProtocolRule::response_exclusion, transaction,
            fmt::format("BEGIN_RESP while that of {} has not been accepted", describe(open_.at(response_))));
  check_status(transaction, "at BEGIN_RESP");
  open.attributes.answered(transaction);
  if (open.state == State::requested) request_ = nullptr;  // BEGIN_RESP implies END_REQ
  open.state = State::responding;
  response_ = &transaction;
}

void ProtocolChecker::end_response(const GenericPayload& transaction, const sc_core::sc_time& time) {
  const Open& open = advance(transaction, time, "END_RESP");
  if (open.state != State::responding) violate(ProtocolRule::phase_order, transaction, "END_RESP before BEGIN_RESP");
  finish(transaction);
}

/// Handles TLM_COMPLETED as the answer to BEGIN_REQ.
void ProtocolChecker::complete(const GenericPayload& transaction, const sc_core::sc_time& time) {
  const Open& open = advance(transaction, time, "TLM_COMPLETED");
  if (open.state == State::responding) violate(ProtocolRule::return_value, transaction, "TLM_COMPLETED from BEGIN_REQ after BEGIN_RESP");
  check_status(transaction, "at TLM_COMPLETED");
  finish(transaction);
}

void ProtocolChecker::finish(const GenericPayload& transaction) {
  if (request_ == &transaction) request_ = nullptr;
  if (response_ == &transaction) response_ = nullptr;
  open_.erase(&transaction);
  ++completed_;
}

std::string ProtocolChecker::describe(const Open& open) { return wharf::describe(open.attributes.address(), open.access); }

ProtocolChecker::Open* ProtocolChecker::find(const GenericPayload& transaction, std::uint64_t serial) {
  const auto it = open_.find(&transaction);
  return it == open_.end() || it->second.serial != serial ? nullptr : &it->second;
}

void ProtocolChecker::check_attributes(const GenericPayload& transaction, const Open& open, const char* phase) {
  if (const char* changed = open.attributes.difference(transaction))
    violate(ProtocolRule::immutable_attributes, transaction, fmt::format("{} has changed by {}", changed, phase));
}

/// Checks that apply to every phase of a live transaction except the first.
ProtocolChecker::Open& ProtocolChecker::advance(const GenericPayload& transaction, const sc_core::sc_time& time, const char* phase) {
  const auto it = open_.find(&transaction);
  if (it == open_.end()) violate(ProtocolRule::unknown_transaction, transaction, fmt::format("{} without BEGIN_REQ", phase));
  Open& open = it->second;
  check_attributes(transaction, open, phase);
  const Picoseconds at = present() + time.value();
  if (at < open.last)
    violate(ProtocolRule::time_order, transaction, fmt::format("{} at {} ps, before the previous phase at {} ps", phase, at, open.last));
  open.last = at;
  return open;
}

/// Checks a transaction when the call that ends it has returned, because the caller may still look at the transaction.
void ProtocolChecker::check_ended(const GenericPayload& transaction, const LiveAttributes& attributes, const char* call) {
  if (transaction.get_ref_count() < 1)
    violate(ProtocolRule::memory_management, transaction, fmt::format("nobody holds a reference at {}", call));
  if (const char* changed = attributes.difference(transaction))
    violate(ProtocolRule::immutable_attributes, transaction, fmt::format("{} has changed by {}", changed, call));
}

void ProtocolChecker::check_status(const GenericPayload& transaction, std::string_view when) {
  if (transaction.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    violate(ProtocolRule::response_status, transaction, fmt::format("still TLM_INCOMPLETE_RESPONSE {}", when));
}

/// With TLM_ACCEPTED, the return path is not used.
void ProtocolChecker::check_unchanged(const GenericPayload& transaction, const tlm::tlm_phase& sent_phase, const tlm::tlm_phase& phase,
                                      const sc_core::sc_time& sent, const sc_core::sc_time& time) {
  if (phase != sent_phase || time != sent)
    violate(ProtocolRule::return_value, transaction, fmt::format("TLM_ACCEPTED to {} with a changed phase or time", sent_phase.get_name()));
}

std::vector<std::string> ProtocolChecker::check_end() const {
  std::vector<const Open*> left;
  for (const auto& entry : open_) left.push_back(&entry.second);
  std::sort(left.begin(), left.end(), [](const Open* a, const Open* b) { return a->serial < b->serial; });
  std::vector<std::string> lines;
  for (const Open* open : left) {
    const char* awaited = open->state == State::requested ? "END_REQ" : open->state == State::request_ended ? "BEGIN_RESP" : "END_RESP";
    if (kind_ == LinkKind::message) awaited = "BEGIN_RESP";
    lines.push_back(fmt::format("link {}: {}: sent at {} ps, still waits for {}", name(), describe(*open), open->begin, awaited));
  }
  return lines;
}

void ProtocolChecker::violate(ProtocolRule rule, const GenericPayload& transaction, std::string_view what) {
  std::string text = fmt::format("link {}: rule of {}: {}; {}, at {} ps", name(), name_of(rule), what,
                                 wharf::describe(transaction.get_address(), access_of(transaction)), present());
  if (!violation_) violation_ = Violation{rule, text};
  throw SimulationError(text);
}

}  // namespace wharf

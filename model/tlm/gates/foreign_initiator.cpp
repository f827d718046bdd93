#include "model/tlm/gates/foreign_initiator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/base/error.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/gates/gate_process.h"
#include "model/tlm/memory_link.h"

namespace wharf {

namespace {

bool is_enabled(const tlm::tlm_generic_payload& transaction, unsigned byte) {
  const unsigned char* const enables = transaction.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % transaction.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// The number of bytes after which the address wraps.
unsigned beat_of(const tlm::tlm_generic_payload& transaction) {
  return std::min(transaction.get_streaming_width(), transaction.get_data_length());
}

bool in_thread() {
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

}  // namespace

ForeignInitiator::ForeignInitiator(MemoryTarget& owner, unsigned index, tlm::tlm_target_socket<>& socket)
    : owner_(owner),
      index_(index),
      socket_(socket),
      terms_(owner.gate_terms(index)),
      options_(gate_options(socket)),
      pool_(true, terms_.contents) {
  spawn_gate([this] { work(); }, work_, "foreign_initiator");
}

/// The status with which a transaction must be refused; TLM_OK_RESPONSE if it can be served.
tlm::tlm_response_status ForeignInitiator::refusal(const GenericPayload& transaction) const {
  if (!transaction.is_read() && !transaction.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const unsigned length = transaction.get_data_length();
  if (length == 0 || transaction.get_streaming_width() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if ((transaction.get_data_ptr() == nullptr) != (terms_.contents == nullptr)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (transaction.get_address() + (beat_of(transaction) - 1) < transaction.get_address()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (transaction.get_byte_enable_ptr() == nullptr) return tlm::TLM_OK_RESPONSE;
  const unsigned enables = std::min(transaction.get_byte_enable_length(), length);
  if (enables == 0) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  for (unsigned i = 0; i < enables; ++i) {
    const unsigned char enable = transaction.get_byte_enable_ptr()[i];
    if (enable != TLM_BYTE_ENABLED && enable != TLM_BYTE_DISABLED) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

/// Returns true if nothing has to be sent; the status is then set.
bool ForeignInitiator::complete(GenericPayload& transaction) const {
  transaction.set_dmi_allowed(false);
  if (transaction.get_gp_option() == tlm::TLM_FULL_PAYLOAD) transaction.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
  const bool ignored = transaction.get_command() == tlm::TLM_IGNORE_COMMAND;
  const tlm::tlm_response_status status = ignored ? tlm::TLM_OK_RESPONSE : refusal(transaction);
  transaction.set_response_status(status);
  if (ignored || status != tlm::TLM_OK_RESPONSE) return true;
  for (unsigned i = 0; i < transaction.get_data_length(); ++i)
    if (is_enabled(transaction, i)) {
      transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      return false;
    }
  return true;
}

ForeignInitiator::Job& ForeignInitiator::begin(GenericPayload& transaction, Picoseconds at) {
  if (free_.empty()) {
    jobs_.push_back(std::make_unique<Job>());
    free_.push_back(jobs_.back().get());
  }
  Job& job = *free_.back();
  free_.pop_back();
  job.transaction = &transaction;
  job.at = at;
  job.next = job.open = 0;
  job.accepted_at = job.ends = at;
  job.sent = job.done = job.blocking = job.nothing = false;
  sending_.push_back(&job);
  return job;
}

void ForeignInitiator::end(Job& job) {
  if (!job.blocking) job.transaction->release();
  job.transaction = nullptr;
  free_.push_back(&job);
}

void ForeignInitiator::block(GenericPayload& transaction, sc_core::sc_time& time) {
  if (complete(transaction)) return;
  if (!in_thread()) {
    SC_REPORT_WARNING("wharf", (std::string(socket_.name()) + ": b_transport from a method process, which cannot wait: refused with " +
                                "TLM_GENERIC_ERROR_RESPONSE; call it from a thread, or use nb_transport_fw")
                                   .c_str());
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  ClockEdges::time_of_call(time, socket_.name());
  if (time != sc_core::SC_ZERO_TIME) sc_core::wait(std::exchange(time, sc_core::SC_ZERO_TIME));
  Job& job = begin(transaction, present());
  job.blocking = true;
  work();
  while (!job.done) sc_core::wait(job.returns);
  if (job.ends > present()) sc_core::wait(after(job.ends - present()));
  end(job);
}

tlm::tlm_sync_enum ForeignInitiator::forward(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (phase != tlm::BEGIN_REQ && phase != tlm::END_RESP) return tlm::TLM_ACCEPTED;  // an extended phase, which may be ignored
  if (Payload* const payload = Payload::behind(transaction))
    return receive(*payload, transaction, phase, ClockEdges::time_of_call(time, socket_.name()));
  if (phase == tlm::BEGIN_REQ) return request(transaction, phase, time);
  if (responding_ == nullptr || responding_->transaction != &transaction)
    throw SimulationError(std::string(socket_.name()) + ": END_RESP without BEGIN_RESP");
  response_free_ = ClockEdges::time_of_call(time, socket_.name());
  watchdog_.cancel();
  end(*std::exchange(responding_, nullptr));
  if (!answered_.empty()) work_.notify(sc_core::SC_ZERO_TIME);
  return tlm::TLM_COMPLETED;
}

/// Handles a call of another block that came through the module.
tlm::tlm_sync_enum ForeignInitiator::receive(Payload& payload, GenericPayload& transaction, tlm::tlm_phase& phase, Picoseconds at) {
  if (phase == tlm::END_RESP) {
    received_.end(transaction);
    owner_.response_accepted(index_, at);
    return tlm::TLM_COMPLETED;
  }
  received_.add(payload, transaction);
  const Acceptance acceptance = owner_.request(index_, payload, at);
  if (acceptance == Acceptance::accepted) phase = tlm::END_REQ;
  if (acceptance == Acceptance::completed) {
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    received_.end(transaction);
  }
  return static_cast<tlm::tlm_sync_enum>(acceptance);
}

/// Handles a phase for another block.
tlm::tlm_sync_enum ForeignInitiator::answer(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  GenericPayload& transaction = received_.of(payload);
  if (phase == tlm::END_REQ) return socket_->nb_transport_bw(transaction, phase, time);
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  return_bytes(transaction, payload);
  const tlm::tlm_sync_enum status = socket_->nb_transport_bw(transaction, phase, time);
  if (status == tlm::TLM_ACCEPTED) return status;
  received_.end(transaction);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum ForeignInitiator::request(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (requesting_ != nullptr) throw SimulationError(std::string(socket_.name()) + ": BEGIN_REQ before the last request was accepted");
  const bool four = options_.phases == GatePhases::four;
  const bool nothing = complete(transaction);
  if (nothing && !four) return tlm::TLM_COMPLETED;
  if (!transaction.has_mm()) {
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  transaction.acquire();
  Job& job = begin(transaction, ClockEdges::time_of_call(time, socket_.name()));
  job.nothing = nothing;
  requesting_ = &job;
  if (four) {
    work_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  calling_ = &job;
  work();
  calling_ = nullptr;
  if (!job.sent) return tlm::TLM_ACCEPTED;
  if (job.accepted_at > job.at) time = after(job.accepted_at - present());
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void ForeignInitiator::work() {
  if (busy_) {
    work_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  busy_ = true;
  if (terms_.clock != nullptr) terms_.clock->refresh();
  send_parts();
  respond();
  busy_ = false;
}

void ForeignInitiator::send_parts() {
  while (!sending_.empty() && pending_ == nullptr) {
    Job& job = *sending_.front();
    const Picoseconds now = present();
    Picoseconds arrives = std::max(job.at, now);
    if (terms_.clock != nullptr) {
      const ClockDomain& clock = *terms_.clock;
      const Cycle cycle = std::max({clock.cycle_at(job.at), free_cycle_, clock.present_cycle() + 1});
      arrives = clock.edge(cycle);
      if (clock.edge(cycle - 1) > now) return work_.notify(after(clock.edge(cycle - 1) - now));
      free_cycle_ = cycle + 1;
    } else if (job.at > now) {
      return work_.notify(after(job.at - now));
    }
    if (job.nothing) {
      complete_empty_part(job);
      continue;
    }
    Part part;
    find_part(*job.transaction, job.next, part);
    part.job = &job;
    Payload& payload = make(part);
    ++job.open;
    const Acceptance acceptance = owner_.request(index_, payload, arrives);
    if (acceptance == Acceptance::pending) {
      pending_ = &payload;
      return;
    }
    part_accepted(job, arrives);
    if (acceptance == Acceptance::completed) part_answered(payload, arrives);
  }
}

/// Finds the first part with an enabled byte at or after byte `next` of the data, and moves `next` behind it. Returns false if there is
/// none.
bool ForeignInitiator::find_part(const GenericPayload& transaction, unsigned& next, Part& part) const {
  const unsigned beat = beat_of(transaction), unit = terms_.by_sector ? kSectorBytes : kLineBytes;
  while (next < transaction.get_data_length()) {
    const Address address = transaction.get_address() + next % beat;
    const unsigned to_unit = static_cast<unsigned>(unit - address % unit), to_beat = beat - next % beat;
    part = {nullptr, next, static_cast<unsigned>(address % kLineBytes), std::min({to_unit, to_beat, transaction.get_data_length() - next})};
    next += part.bytes;
    for (unsigned i = 0; i < part.bytes; ++i)
      if (is_enabled(transaction, part.data + i)) return true;
  }
  return false;
}

Payload& ForeignInitiator::make(const Part& part) {
  const GenericPayload& transaction = *part.job->transaction;
  std::array<std::byte, kLineBytes> bytes{};
  std::array<bool, kLineBytes> enabled{};
  for (unsigned i = 0; i < part.bytes; ++i) {
    enabled[part.line + i] = is_enabled(transaction, part.data + i);
    if (transaction.is_write() && transaction.get_data_ptr() != nullptr)
      bytes[part.line + i] = static_cast<std::byte>(transaction.get_data_ptr()[part.data + i]);
  }
  Access access;
  access.line = LineAddress::of(transaction.get_address() + part.data % beat_of(transaction));
  access.kind = transaction.is_write() ? AccessKind::store : AccessKind::load;
  access.sectors = 0;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    const auto first = enabled.begin() + s * kSectorBytes, last = first + kSectorBytes;
    const auto set = static_cast<unsigned>(std::count(first, last, true));
    if (set != 0) access.sectors |= static_cast<SectorMask>(1u << s);
    if (set == kSectorBytes && transaction.is_write()) access.covered |= static_cast<SectorMask>(1u << s);
  }
  access.sm = terms_.sm;
  if (terms_.clock != nullptr) access.issue_cycle = terms_.clock->present_cycle();
  if (free_parts_.empty()) {
    free_parts_.push_back(static_cast<std::uint32_t>(parts_.size()));
    parts_.emplace_back();
  }
  access.slot = free_parts_.back();
  free_parts_.pop_back();
  parts_[access.slot] = part;
  Payload& payload = pool_.acquire(access);
  if (terms_.contents != nullptr && transaction.is_write()) terms_.contents->store(access, payload.versions(), bytes, enabled);
  return payload;
}

/// Handles a transaction that is refused or accesses nothing, for a module that waits for all four phases.
void ForeignInitiator::complete_empty_part(Job& job) {
  job.next = job.transaction->get_data_length();
  part_accepted(job, std::max(job.at, present()));
  job.ends = std::max(job.ends, present());
  job.done = true;
  answered_.push_back(&job);
}

/// Handles the acceptance of a part by the block at time `at`.
void ForeignInitiator::part_accepted(Job& job, Picoseconds at) {
  Part rest;
  if (unsigned next = job.next; !job.nothing && find_part(*job.transaction, next, rest)) return;
  job.sent = true;
  job.accepted_at = at;
  sending_.erase(sending_.begin());
  if (requesting_ != &job) return;
  requesting_ = nullptr;
  if (calling_ == &job) return;  // the return of the call in progress reports it
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time time = after(std::max(at, present()) - present());
  socket_->nb_transport_bw(*job.transaction, phase, time);
}

tlm::tlm_sync_enum ForeignInitiator::nb_transport_bw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  Payload& payload = Payload::of(transaction);
  if (&payload.pool() != &pool_) return answer(payload, phase, time);
  const bool outer = !std::exchange(busy_, true);
  const Picoseconds at = present() + time.value();
  if (phase == tlm::END_REQ) {
    pending_ = nullptr;
    if (terms_.clock != nullptr) free_cycle_ = std::max(free_cycle_, terms_.clock->cycle_at(at) + 1);
    part_accepted(*parts_[payload.access().slot].job, at);
    if (!sending_.empty()) work_.notify(sc_core::SC_ZERO_TIME);
    if (outer) busy_ = false;
    return tlm::TLM_ACCEPTED;
  }
  part_answered(payload, at);
  if (outer) respond();
  if (outer) busy_ = false;
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void ForeignInitiator::part_answered(Payload& payload, Picoseconds at) {
  const std::uint32_t slot = payload.access().slot;
  const Part part = parts_[slot];
  Job& job = *part.job;
  if (job.transaction->is_read()) copy_data(payload, part);
  free_parts_.push_back(slot);
  payload.release();
  job.ends = std::max(job.ends, at);
  if (--job.open != 0 || !job.sent) return;
  job.transaction->set_response_status(tlm::TLM_OK_RESPONSE);
  job.done = true;
  if (job.blocking)
    job.returns.notify(after(std::max(job.ends, present()) - present()));
  else
    answered_.push_back(&job);
}

void ForeignInitiator::copy_data(Payload& payload, const Part& part) const {
  if (terms_.contents == nullptr) return;
  const GenericPayload& transaction = *part.job->transaction;
  const Access& access = payload.access();
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    const SectorBytes bytes = terms_.contents->read(access.line, s, payload.versions()[s]);
    for (unsigned i = std::max(part.line, s * kSectorBytes); i < std::min(part.line + part.bytes, (s + 1) * kSectorBytes); ++i) {
      const unsigned at = part.data + (i - part.line);
      if (is_enabled(transaction, at)) transaction.get_data_ptr()[at] = static_cast<unsigned char>(bytes[i % kSectorBytes]);
    }
  }
}

/// Sends responses one by one, each after the previous one has been taken.
void ForeignInitiator::respond() {
  while (responding_ == nullptr && !answered_.empty()) {
    responding_ = answered_.front();
    answered_.erase(answered_.begin());
    const Picoseconds at = std::max({responding_->ends, response_free_, present()});
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = after(at - present());
    const tlm::tlm_sync_enum status = socket_->nb_transport_bw(*responding_->transaction, phase, time);
    if (status == tlm::TLM_ACCEPTED && responding_ != nullptr) watch();
    if (status == tlm::TLM_ACCEPTED || responding_ == nullptr) continue;
    response_free_ = ClockEdges::time_of_call(time, socket_.name());
    end(*std::exchange(responding_, nullptr));
  }
}

/// Starts to wait for END_RESP, which the module owes.
void ForeignInitiator::watch() {
  if (options_.stall == sc_core::SC_ZERO_TIME) return;
  if (!std::exchange(has_watchdog_, true)) spawn_gate([this] { check_stall(); }, watchdog_, "foreign_initiator_stall");
  watchdog_.notify(options_.stall);
}

void ForeignInitiator::check_stall() {
  throw SimulationError(
      fmt::format("{}: the module bound to it has sent no END_RESP for the {} at {:#x} in {} ps; a longer time is set with "
                  "GateOptions::stall",
                  socket_.name(), responding_->transaction->is_write() ? "write" : "read", responding_->transaction->get_address(),
                  options_.stall.value()));
}

}  // namespace wharf

#pragma once
// The two ends of a memory link: tlm_base_protocol_types, AT phases, finite queues.
//
//   initiator                             target
//   send(p, delay)      BEGIN_REQ   ->    request(p, at) = accepted   END_REQ on the return path
//                                                        = pending    TLM_ACCEPTED, and later accept(p, delay): END_REQ
//                                                        = completed  TLM_COMPLETED: posted, no response follows
//   response(p, at)     <-  BEGIN_RESP    respond(p, delay)
//     true: TLM_COMPLETED; false: TLM_ACCEPTED, and later end_response(p, delay): END_RESP
//
// This holds between two blocks of this model. A port that is bound to a foreign module detects this on its first call and inserts a gate
// (foreign_initiator.h, foreign_target.h).
//
// Times are integers: `delay` is in ps from the caller's present, `at` is absolute in ps. Only this file, message_link.h and the gates
// handle phases.

#include <memory>
#include <string>
#include <tlm>

#include "model/tlm/gates/foreign_initiator.h"
#include "model/tlm/gates/foreign_target.h"
#include "model/tlm/kernel_time.h"
#include "model/tlm/link_end.h"
#include "model/tlm/payload.h"

namespace wharf {

/// The values are those that nb_transport_fw returns for each outcome.
enum class Acceptance { pending = tlm::TLM_ACCEPTED, accepted = tlm::TLM_UPDATED, completed = tlm::TLM_COMPLETED };

/// The callbacks of an initiator port's owner.
class MemoryInitiator {
 public:
  virtual ~MemoryInitiator() = default;
  /// The pending request was accepted at time `at`. The next one may be sent from then on.
  virtual void request_accepted(unsigned port, Picoseconds at) = 0;
  /// The answer arrives at time `at`. Returns true if it is accepted; false if the owner will call end_response.
  virtual bool response(unsigned port, Payload& payload, Picoseconds at) = 0;
  /// The properties that the gate needs if `port` is bound to a foreign module.
  virtual GateTerms gate_terms(unsigned port) const {
    static_cast<void>(port);
    return {};
  }
};

/// The callbacks of a target port's owner.
class MemoryTarget {
 public:
  virtual ~MemoryTarget() = default;
  virtual Acceptance request(unsigned port, Payload& payload, Picoseconds at) = 0;
  /// The pending response was accepted at time `at`.
  virtual void response_accepted(unsigned port, Picoseconds at) = 0;
  /// Debug access (transport_dbg): reads or writes bytes in zero time. Returns their number; 0 = not supported.
  virtual unsigned debug(unsigned port, tlm::tlm_generic_payload& transaction) = 0;
  /// As in MemoryInitiator.
  virtual GateTerms gate_terms(unsigned port) const {
    static_cast<void>(port);
    return {};
  }
};

/// `Owner` implements MemoryInitiator. If it is a final class, an arriving phase calls its function directly rather than virtually.
template <class Owner>
class MemoryInitiatorPortOf final : private InitiatorEnd<ForeignTarget> {
  Owner& owner_;
  unsigned index_;

 public:
  MemoryInitiatorPortOf(const std::string& name, Owner& owner, unsigned index) : InitiatorEnd(name), owner_(owner), index_(index) {}

  using InitiatorEnd::socket;

  /// Sends a request. No earlier request of this port may be pending.
  Acceptance send(Payload& payload, Picoseconds delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time time = after(delay);
    return static_cast<Acceptance>(peer().nb_transport_fw(payload, phase, time));
  }

  void end_response(Payload& payload, Picoseconds delay) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time time = after(delay);
    peer().nb_transport_fw(payload, phase, time);
  }

  unsigned debug(tlm::tlm_generic_payload& transaction) {
    static_cast<void>(peer());
    tlm::tlm_fw_transport_if<>* behind = gate();
    return (behind == nullptr ? socket.operator->() : behind)->transport_dbg(transaction);
  }

 private:
  std::unique_ptr<ForeignTarget> make_gate() override {
    MemoryInitiator& owner = owner_;
    return std::make_unique<ForeignTarget>(owner, index_, socket);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (gate() != nullptr) return gate()->backward(transaction, phase, time);
    const Picoseconds at = present() + time.value();
    if (phase == tlm::END_REQ) {
      owner_.request_accepted(index_, at);
      return tlm::TLM_ACCEPTED;
    }
    if (!owner_.response(index_, Payload::of(transaction), at)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
};

using MemoryInitiatorPort = MemoryInitiatorPortOf<MemoryInitiator>;

/// As MemoryInitiatorPortOf, for MemoryTarget.
template <class Owner>
class MemoryTargetPortOf final : private TargetEnd<ForeignInitiator> {
  Owner& owner_;
  unsigned index_;

 public:
  MemoryTargetPortOf(const std::string& name, Owner& owner, unsigned index) : TargetEnd(name), owner_(owner), index_(index) {}

  using TargetEnd::socket;

  /// Sends END_REQ for a request that was answered `pending`.
  void accept(Payload& payload, Picoseconds delay) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time time = after(delay);
    peer().nb_transport_bw(payload, phase, time);
  }

  /// Sends a response; returns true if the initiator accepts it at once. No earlier response of this port may be pending.
  bool respond(Payload& payload, Picoseconds delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = after(delay);
    return peer().nb_transport_bw(payload, phase, time) == tlm::TLM_COMPLETED;
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (has_foreign_caller()) return gate().forward(transaction, phase, time);
    const Picoseconds at = present() + time.value();
    if (phase == tlm::END_RESP) {
      owner_.response_accepted(index_, at);
      return tlm::TLM_COMPLETED;
    }
    const Acceptance acceptance = owner_.request(index_, Payload::of(transaction), at);
    if (acceptance == Acceptance::accepted) phase = tlm::END_REQ;
    if (acceptance == Acceptance::completed) transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    return static_cast<tlm::tlm_sync_enum>(acceptance);
  }

  std::unique_ptr<ForeignInitiator> make_gate() override {
    MemoryTarget& owner = owner_;
    auto gate = std::make_unique<ForeignInitiator>(owner, index_, socket);
    answer_to(*gate);
    return gate;
  }
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& time) override {
    // The phases of this model's payloads give their times; a blocking call would bypass the queues.
    if (Payload::behind(transaction) != nullptr)
      transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    else
      gate().block(transaction, time);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override { return owner_.debug(index_, transaction); }
};
using MemoryTargetPort = MemoryTargetPortOf<MemoryTarget>;

}  // namespace wharf

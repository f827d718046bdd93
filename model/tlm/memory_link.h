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
#include "model/tlm/own_end.h"
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

/// Caches the interface behind a socket, next to the members that every call uses. The socket itself is large and rarely used, so it is
/// allocated apart from its port. `Interface` is the base class with the phases, so that no call searches for it among other bases.
template <class Socket, class Interface>
class Peer {
 public:
  Interface& of(Socket& socket) {
    if (interface_ == nullptr) find(socket);
    return *interface_;
  }
  void is(Interface& interface) { interface_ = &interface; }

 private:
  [[gnu::noinline, gnu::cold]] void find(Socket& socket) { interface_ = socket.operator->(); }

  Interface* interface_ = nullptr;
};

/// `Owner` implements MemoryInitiator. If it is a final class, an arriving phase calls its function directly rather than virtually.
template <class Owner>
class MemoryInitiatorPortOf final : private OwnInitiator {
  Owner& owner_;
  unsigned index_;
  tlm::tlm_fw_nonblocking_transport_if<>* peer_ = nullptr;  // as in Peer, or the gate
  std::unique_ptr<ForeignTarget> gate_;                     // null if bound to this model

 public:
  MemoryInitiatorPortOf(const std::string& name, Owner& owner, unsigned index)
      : owner_(owner), index_(index), socket_(new tlm::tlm_initiator_socket<>(name.c_str())), socket(*socket_) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }

 private:
  std::unique_ptr<tlm::tlm_initiator_socket<>> socket_;

 public:
  tlm::tlm_initiator_socket<>& socket;

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
    tlm::tlm_fw_transport_if<>* behind = gate_.get();
    return (behind == nullptr ? socket.operator->() : behind)->transport_dbg(transaction);
  }

 private:
  tlm::tlm_fw_nonblocking_transport_if<>& peer() {
    if (peer_ == nullptr) find_peer();
    return *peer_;
  }
  [[gnu::noinline, gnu::cold]] void find_peer() {
    peer_ = socket.operator->();
    if (is_own(socket.operator->())) return;
    MemoryInitiator& owner = owner_;
    gate_ = std::make_unique<ForeignTarget>(owner, index_, socket);
    peer_ = gate_.get();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (gate_ != nullptr) return gate_->backward(transaction, phase, time);
    const Picoseconds at = present() + time.value();
    if (phase == tlm::END_REQ) {
      owner_.request_accepted(index_, at);
      return tlm::TLM_ACCEPTED;
    }
    if (!owner_.response(index_, Payload::of(transaction), at)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  // A timed cache is below every initiator of the model, so no initiator has direct pointers to invalidate.
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

using MemoryInitiatorPort = MemoryInitiatorPortOf<MemoryInitiator>;

/// As MemoryInitiatorPortOf, for MemoryTarget.
template <class Owner>
class MemoryTargetPortOf final : private OwnTarget {
  Owner& owner_;
  unsigned index_;
  bool own_ = false;  // bound to this model; unknown before the first call
  Peer<tlm::tlm_target_socket<>, tlm::tlm_bw_nonblocking_transport_if<>> peer_;

 public:
  MemoryTargetPortOf(const std::string& name, Owner& owner, unsigned index)
      : owner_(owner), index_(index), socket_(new tlm::tlm_target_socket<>(name.c_str())), socket(*socket_) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  std::unique_ptr<tlm::tlm_target_socket<>> socket_;
  std::unique_ptr<ForeignInitiator> gate_;  // null until one is needed

 public:
  tlm::tlm_target_socket<>& socket;

  /// Sends END_REQ for a request that was answered `pending`.
  void accept(Payload& payload, Picoseconds delay) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time time = after(delay);
    peer_.of(socket).nb_transport_bw(payload, phase, time);
  }

  /// Sends a response; returns true if the initiator accepts it at once. No earlier response of this port may be pending.
  bool respond(Payload& payload, Picoseconds delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = after(delay);
    return peer_.of(socket).nb_transport_bw(payload, phase, time) == tlm::TLM_COMPLETED;
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (!own_ && is_stranger()) return gate().forward(transaction, phase, time);
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

  /// True if a foreign module is in the link. Called on the first call over a link, and on every call of a foreign module.
  [[gnu::noinline, gnu::cold]] bool is_stranger() {
    own_ = gate_ == nullptr && is_own(socket.operator->());
    return !own_;
  }
  [[gnu::noinline, gnu::cold]] ForeignInitiator& gate() {
    if (gate_ == nullptr) {
      MemoryTarget& owner = owner_;
      gate_ = std::make_unique<ForeignInitiator>(owner, index_, socket);
      peer_.is(*gate_);
    }
    return *gate_;
  }
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& time) override {
    // The phases of this model's payloads give their times; a blocking call would bypass the queues.
    if (Payload::behind(transaction) != nullptr)
      transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    else
      gate().block(transaction, time);
  }
  // A direct pointer would bypass the caches and the timing of memory.
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override {
    dmi.init();
    transaction.set_dmi_allowed(false);
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override { return owner_.debug(index_, transaction); }
};
using MemoryTargetPort = MemoryTargetPortOf<MemoryTarget>;

}  // namespace wharf

#pragma once
// The two ends of a message link: a posted transaction that carries one Message (CM-6). A message accepted at once returns TLM_COMPLETED.
// If it is accepted later, the call returns TLM_ACCEPTED; the target then sends BEGIN_RESP, and the initiator returns TLM_COMPLETED. The
// endpoints, not the link, pair requests with replies.

#include "model/tlm/clock_edges.h"
#include "model/tlm/gates/message_gate.h"
#include "model/tlm/memory_link.h"

namespace wharf {

class MessageSource {
 public:
  virtual ~MessageSource() = default;
  /// The pending message of `port` was taken at time `at`.
  virtual void posted(unsigned port, Picoseconds at) = 0;
};

class MessageSink {
 public:
  virtual ~MessageSink() = default;
  /// A message arrives at time `at`. Returns true if it is taken; false if the owner will call take.
  virtual bool message(unsigned port, Payload& payload, Picoseconds at) = 0;
};

/// `Owner`: as in MemoryInitiatorPortOf.
template <class Owner>
class MessageSourcePortOf final : private OwnInitiator {
  Owner& owner_;
  unsigned index_;
  tlm::tlm_fw_nonblocking_transport_if<>* peer_ = nullptr;  // as in MemoryInitiatorPortOf
  std::unique_ptr<MessageSourceGate> gate_;                 // null if bound to this model

 public:
  MessageSourcePortOf(const std::string& name, Owner& owner, unsigned index)
      : owner_(owner), index_(index), socket_(new tlm::tlm_initiator_socket<>(name.c_str())), socket(*socket_) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }

 private:
  std::unique_ptr<tlm::tlm_initiator_socket<>> socket_;

 public:
  tlm::tlm_initiator_socket<>& socket;

  /// Sends a message; returns true if it is taken at once. No earlier message of this port may be pending.
  bool post(Payload& payload, Picoseconds delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time time = after(delay);
    if (peer_ == nullptr) find_peer();
    return peer_->nb_transport_fw(payload, phase, time) == tlm::TLM_COMPLETED;
  }

 private:
  [[gnu::noinline, gnu::cold]] void find_peer() {
    peer_ = socket.operator->();
    if (is_own(socket.operator->())) return;
    gate_ = std::make_unique<MessageSourceGate>(socket);
    peer_ = gate_.get();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (gate_ != nullptr && !gate_->taken(transaction, phase)) return tlm::TLM_ACCEPTED;
    owner_.posted(index_, gate_ == nullptr ? present() + time.value() : ClockEdges::time_of_call(time, socket.name()));
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

using MessageSourcePort = MessageSourcePortOf<MessageSource>;

/// `Owner`: as in MemoryInitiatorPortOf.
template <class Owner>
class MessageSinkPortOf final : private OwnTarget {
  Owner& owner_;
  unsigned index_;
  bool own_ = false;  // bound to this model; unknown before the first call
  Peer<tlm::tlm_target_socket<>, tlm::tlm_bw_nonblocking_transport_if<>> peer_;

 public:
  MessageSinkPortOf(const std::string& name, Owner& owner, unsigned index)
      : owner_(owner), index_(index), socket_(new tlm::tlm_target_socket<>(name.c_str())), socket(*socket_) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  std::unique_ptr<tlm::tlm_target_socket<>> socket_;
  std::unique_ptr<MessageSinkGate> gate_;  // null until one is needed

 public:
  tlm::tlm_target_socket<>& socket;

  /// Takes the message that was left pending.
  void take(Payload& payload, Picoseconds delay) {
    if (gate_ != nullptr) return gate_->take(payload, after(delay));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = after(delay);
    peer_.of(socket).nb_transport_bw(payload, phase, time);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (!own_ && is_stranger()) return to_gate(transaction, phase, ClockEdges::time_of_call(time, socket.name()));
    return owner_.message(index_, Payload::of(transaction), present() + time.value()) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  /// As in MemoryTargetPortOf.
  [[gnu::noinline, gnu::cold]] bool is_stranger() {
    own_ = gate_ == nullptr && is_own(socket.operator->());
    if (!own_ && gate_ == nullptr) gate_ = std::make_unique<MessageSinkGate>(socket);
    return !own_;
  }
  [[gnu::noinline, gnu::cold]] tlm::tlm_sync_enum to_gate(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase,
                                                          Picoseconds at) {
    return gate_->forward(transaction, phase, [&](Payload& payload) { return owner_.message(index_, payload, at); });
  }
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) override {
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};
using MessageSinkPort = MessageSinkPortOf<MessageSink>;

}  // namespace wharf

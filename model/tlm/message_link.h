#pragma once
// The two ends of a message link: a posted transaction that carries one Message (CM-6). A message accepted at once returns TLM_COMPLETED.
// If it is accepted later, the call returns TLM_ACCEPTED; the target then sends BEGIN_RESP, and the initiator returns TLM_COMPLETED. The
// endpoints, not the link, pair requests with replies.

#include "model/base/host/islands.h"
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
class MessageSourcePortOf final : private InitiatorEnd<MessageSourceGate>, private Islands::Addressee {
  Owner& owner_;
  unsigned index_;

 public:
  MessageSourcePortOf(const std::string& name, Owner& owner, unsigned index) : InitiatorEnd(name), owner_(owner), index_(index) {}

  using InitiatorEnd::socket;

  /// Sends a message; returns true if it is taken at once. No earlier message of this port may be pending.
  bool post(Payload& payload, Picoseconds delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time time = after(delay);
    return peer().nb_transport_fw(payload, phase, time) == tlm::TLM_COMPLETED;
  }

 private:
  std::unique_ptr<MessageSourceGate> make_gate() override { return std::make_unique<MessageSourceGate>(socket); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (gate() != nullptr && !gate()->taken(transaction, phase)) return tlm::TLM_ACCEPTED;
    const Picoseconds at = gate() == nullptr ? present() + time.value() : ClockEdges::time_of_call(time, socket.name());
    if (Islands::are_apart(island_))
      Islands::send(island_, *this, Payload::of(transaction).transaction(), at);
    else
      owner_.posted(index_, at);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void deliver(Transaction&, Picoseconds at) override { owner_.posted(index_, at); }
};

using MessageSourcePort = MessageSourcePortOf<MessageSource>;

/// `Owner`: as in MemoryInitiatorPortOf.
template <class Owner>
class MessageSinkPortOf final : private TargetEnd<MessageSinkGate, true>, private Islands::Addressee {
  Owner& owner_;
  unsigned index_;

 public:
  MessageSinkPortOf(const std::string& name, Owner& owner, unsigned index) : TargetEnd(name), owner_(owner), index_(index) {}

  using TargetEnd::socket;

  /// Takes the message that was left pending.
  void accept(Payload& payload, Picoseconds delay) {
    if (has_gate()) return gate().accept(payload, after(delay));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time time = after(delay);
    peer().nb_transport_bw(payload, phase, time);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (has_foreign_caller()) return to_gate(transaction, phase, ClockEdges::time_of_call(time, socket.name()));
    Payload& payload = Payload::of(transaction);
    const Picoseconds at = present() + time.value();
    if (Islands::are_apart(island_)) {
      Islands::send(island_, *this, payload.transaction(), at);
      return tlm::TLM_ACCEPTED;
    }
    return owner_.message(index_, payload, at) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  /// A message from another island, which is told when it is taken: at its arrival, if at once.
  void deliver(Transaction& transaction, Picoseconds at) override {
    Payload& payload = Payload::of(transaction);
    if (owner_.message(index_, payload, at)) accept(payload, at - present());
  }
  std::unique_ptr<MessageSinkGate> make_gate() override { return std::make_unique<MessageSinkGate>(socket); }
  [[gnu::noinline, gnu::cold]] tlm::tlm_sync_enum to_gate(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase,
                                                          Picoseconds at) {
    return gate().forward(transaction, phase, [&](Payload& payload) { return owner_.message(index_, payload, at); });
  }
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) override {
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};
using MessageSinkPort = MessageSinkPortOf<MessageSink>;

}  // namespace wharf

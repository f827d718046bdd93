#pragma once
// The gates of a message link with a foreign module in it that only forwards messages. The module sees transactions of the link
// (link_transaction.h) with TLM_IGNORE_COMMAND, because a message transfers no bytes of a memory.

#include <tlm>

#include "model/tlm/gates/link_transaction.h"

namespace wharf {

/// The gate at the source. A message that is not taken at once waits; at most one waits.
class MessageSourceGate final : public tlm::tlm_fw_nonblocking_transport_if<> {
 public:
  explicit MessageSourceGate(tlm::tlm_initiator_socket<>& socket);
  ~MessageSourceGate() override;

  /// Sends the payload's message; returns TLM_COMPLETED if it is taken, else TLM_ACCEPTED.
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  /// Handles a phase from the other end. Returns true if the waiting message has been taken.
  bool taken(const tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);

 private:
  tlm::tlm_initiator_socket<>& socket_;
  LinkTransactions link_;
  LinkTransaction* waiting_ = nullptr;
};

/// The gate at the sink.
class MessageSinkGate final {
 public:
  explicit MessageSinkGate(tlm::tlm_target_socket<>& socket);

  /// Handles nb_transport_fw; deliver(payload) returns true if the block takes the message at once. Refuses a transaction without a
  /// payload.
  template <class Deliver>
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase, Deliver deliver) {
    Payload* const payload = Payload::behind(transaction);
    if (payload == nullptr) transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (payload == nullptr || phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    received_.add(*payload, transaction);
    if (!deliver(*payload)) return tlm::TLM_ACCEPTED;
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    received_.end(transaction);
    return tlm::TLM_COMPLETED;
  }
  /// The block takes the message that waits.
  void accept(const Payload& payload, sc_core::sc_time time);

 private:
  tlm::tlm_target_socket<>& socket_;
  ReceivedTransactions received_;
};

}  // namespace wharf

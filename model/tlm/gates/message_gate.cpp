#include "model/tlm/gates/message_gate.h"

#include <utility>

namespace wharf {

MessageSourceGate::MessageSourceGate(tlm::tlm_initiator_socket<>& socket) : socket_(socket) {}
MessageSourceGate::~MessageSourceGate() = default;

MessageSinkGate::MessageSinkGate(tlm::tlm_target_socket<>& socket) : socket_(socket) {}

tlm::tlm_sync_enum MessageSourceGate::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  const LinkTransactions::Call call(link_);
  LinkTransaction& transaction = link_.open();
  transaction.set_message(Payload::of(payload));
  waiting_ = &transaction;
  const tlm::tlm_sync_enum status = socket_->nb_transport_fw(transaction, phase, time);
  if (status != tlm::TLM_COMPLETED) return tlm::TLM_ACCEPTED;
  waiting_ = nullptr;
  link_.end(transaction);
  return status;
}

bool MessageSourceGate::taken(const tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
  const LinkTransactions::Call call(link_);
  if (phase != tlm::BEGIN_RESP || waiting_ != &transaction) return false;
  link_.end(*std::exchange(waiting_, nullptr));
  return true;
}

void MessageSinkGate::accept(const Payload& payload, sc_core::sc_time time) {
  tlm::tlm_generic_payload& transaction = received_.of(payload);
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  socket_->nb_transport_bw(transaction, phase, time);
  received_.end(transaction);
}

}  // namespace wharf

#pragma once
// The base of all monitors of a link: bound between its two ends, they pass on every call unchanged and without delay.
//
//   initiator.socket.bind(monitor.target_socket);
//   monitor.initiator_socket.bind(target.socket);

#include <systemc>
#include <tlm>

#include "model/base/types.h"
#include "model/tlm/own_end.h"

namespace wharf {

class PassThrough : public sc_core::sc_module, protected OwnTarget, protected OwnInitiator {
 public:
  explicit PassThrough(sc_core::sc_module_name name);

  tlm::tlm_target_socket<> target_socket;        // bound by the link's initiator
  tlm::tlm_initiator_socket<> initiator_socket;  // bound to the link's target

 protected:
  std::optional<unsigned> initiator_island() override { return island_of(target_socket.operator->()); }
  std::optional<unsigned> target_island() override { return island_of(initiator_socket.operator->()); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    return initiator_socket->nb_transport_fw(transaction, phase, time);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    return target_socket->nb_transport_bw(transaction, phase, time);
  }
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& time) override {
    initiator_socket->b_transport(transaction, time);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override { return initiator_socket->transport_dbg(transaction); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override {
    return initiator_socket->get_direct_mem_ptr(transaction, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override { target_socket->invalidate_direct_mem_ptr(start, end); }

  /// True if a forward call has answered its request: TLM_COMPLETED, or BEGIN_RESP on the return path.
  static bool answered(tlm::tlm_sync_enum status, const tlm::tlm_phase& phase) {
    return status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  }
};

}  // namespace wharf

#pragma once
// A module that uses nothing of this model and only forwards, without a change, every call of TLM-2.0's interfaces.

#include <functional>
#include <systemc>
#include <tlm>

namespace wharf::test {

struct Forwarder : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
  explicit Forwarder(sc_core::sc_module_name name) : sc_module(name) {
    in.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    out.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }
  tlm::tlm_target_socket<> in{"in"};
  tlm::tlm_initiator_socket<> out{"out"};
  unsigned calls = 0;
  std::function<void(const tlm::tlm_generic_payload&, const tlm::tlm_phase&)> sees;  // called before each call is forwarded; may be empty

 private:
  void note(const tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
    ++calls;
    if (sees) sees(transaction, phase);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    note(transaction, phase);
    return out->nb_transport_fw(transaction, phase, time);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    note(transaction, phase);
    return in->nb_transport_bw(transaction, phase, time);
  }
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& time) override { out->b_transport(transaction, time); }
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override { return out->transport_dbg(transaction); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override {
    return out->get_direct_mem_ptr(transaction, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override { in->invalidate_direct_mem_ptr(start, end); }
};

}  // namespace wharf::test

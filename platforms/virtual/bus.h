#pragma once
// The host bus: an address decoder that adds its latency. Blocking transport, DMI (ranges translated both ways) and debug transport.
// Not modelled: contention, bursts over several targets.

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <tlm>
#include <vector>

#include "model/base/types.h"

namespace wharf::vp {

class Bus : public sc_core::sc_module {
 public:
  Bus(sc_core::sc_module_name name, sc_core::sc_time latency);

  tlm_utils::multi_passthrough_target_socket<Bus> initiators{"initiators"};
  /// Binds a target, which sees addresses from 0 on. Throws std::logic_error where it overlaps another.
  void map(tlm::tlm_target_socket<>& target, Address base, std::uint64_t bytes);

 private:
  struct Window {
    Address base;
    std::uint64_t bytes;
  };
  void transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  bool direct(int initiator, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
  unsigned debug(int initiator, tlm::tlm_generic_payload& transaction);
  void invalidate(int window, sc_dt::uint64 begin, sc_dt::uint64 end);
  /// The number of the window that holds all bytes of the transaction; -1: none.
  int decode(const tlm::tlm_generic_payload& transaction) const;
  /// Calls the target of the window with the address as it sees it.
  template <class Call>
  auto translated(int window, tlm::tlm_generic_payload& transaction, Call call);

  tlm_utils::multi_passthrough_initiator_socket<Bus> targets_{"targets"};
  const sc_core::sc_time latency_;
  std::vector<Window> windows_;  // in the order of targets_
};

}  // namespace wharf::vp

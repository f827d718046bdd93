#pragma once
// The two places where golden memory looks at the traffic (CM-29..CM-32): on the memory link that leaves an SM, and on the one that reaches
// the ordering point. They share one GoldenMemory; the blocks between them carry versions() with the data and know nothing else.
//
// Not modelled: instruction, constant, shared and metadata accesses pass unchecked; the value that an atomic returns is not checked.

#include <unordered_map>

#include "model/monitor/golden_memory_logic.h"
#include "model/monitor/pass_through.h"
#include "model/tlm/payload.h"

namespace wharf {

/// SM to L1. Writes the id of a store or atomic into versions() of its sectors; marks a load's versions() as unanswered and checks what
/// comes back. What is no `Payload` passes unchecked.
class GoldenSmMonitor final : public PassThrough {
 public:
  GoldenSmMonitor(sc_core::sc_module_name name, GoldenMemory& golden);

  /// Loads without an answer yet.
  std::size_t open_loads() const { return loads_.size(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void begin(Payload& payload);
  void answer(Payload& payload);

  GoldenMemory& golden_;
  std::unordered_map<const Payload*, LoadTicket> loads_;
};

/// Network interface to L2 bank. The order in which stores and atomics pass is their order in memory, so all traffic of a bank must come
/// through one such link. Loads that L2, the eLLC or DRAM answer are checked against what was newest when they passed.
class GoldenOrderMonitor final : public PassThrough {
 public:
  GoldenOrderMonitor(sc_core::sc_module_name name, GoldenMemory& golden);

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void arrive(Payload& payload, Picoseconds at);
  void answer(Payload& payload);

  GoldenMemory& golden_;
  std::unordered_map<const Payload*, LoadTicket> loads_;
};

}  // namespace wharf

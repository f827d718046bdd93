#pragma once
// The monitors that report traffic to golden memory (CM-29..CM-32): on the memory link that leaves an SM, on the link that reaches the
// ordering point, and on the link to an L2 that keeps copies. They share one GoldenMemory. The blocks between them carry versions() with the data, and nothing else.
//
// Not modelled: instruction, constant, shared and metadata accesses pass unchecked, as does the value that an atomic returns.

#include <unordered_map>

#include "model/monitor/golden_memory_logic.h"
#include "model/monitor/pass_through.h"
#include "model/tlm/payload.h"

namespace wharf {

/// On the link from SM to L1. Writes the id of a store or atomic into versions() of its sectors; marks the versions() of a load as
/// unanswered, and checks the answer. Transactions that are not a `Payload` pass unchecked.
class GoldenSmMonitor final : public PassThrough {
 public:
  GoldenSmMonitor(sc_core::sc_module_name name, GoldenMemory& golden);

  /// Number of unanswered loads.
  std::size_t open_loads() const { return loads_.size(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void begin(Payload& payload);
  void answer(Payload& payload);

  GoldenMemory& golden_;
  std::unordered_map<const Payload*, LoadTicket> loads_;
};

/// On the link from network interface to L2 slice. Stores and atomics take effect in the order in which they pass, so all traffic of a
/// slice must use one such link. Loads that L2, the eLLC or DRAM answer are checked against the version that was newest when they passed.
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

/// On the link from network interface to the entry of an L2 that keeps copies. Checks loads against the stores and atomics whose answers
/// have passed the monitors of all entries.
class GoldenEntryMonitor final : public PassThrough {
 public:
  GoldenEntryMonitor(sc_core::sc_module_name name, GoldenMemory& golden);

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void answer(Payload& payload);

  GoldenMemory& golden_;
  std::unordered_map<const Payload*, LoadTicket> loads_;
  std::unordered_map<const Payload*, SectorVersions> writes_;
};

}  // namespace wharf

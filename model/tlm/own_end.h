#pragma once
// Lets the ends of a link detect each other. A port that finds a port of this model at the other end calls it directly; for any other
// module it creates a gate (foreign_initiator.h, foreign_target.h).

#include <tlm>

namespace wharf {

class ClockDomain;
class SectorContents;

/// The base of this model's initiator ends: a port, or a monitor that passes calls on.
class OwnInitiator : public tlm::tlm_bw_transport_if<> {
 public:
  /// True if the sender is a port of this model, with or without monitors between.
  virtual bool is_own_initiator() { return true; }
};

/// The base of this model's target ends.
class OwnTarget : public tlm::tlm_fw_transport_if<> {
 public:
  virtual bool is_own_target() { return true; }
};

bool is_own(tlm::tlm_bw_transport_if<>* initiator);
bool is_own(tlm::tlm_fw_transport_if<>* target);

/// The properties of a block that its gate needs.
struct GateTerms {
  ClockDomain* clock = nullptr;        // clock at whose edges requests arrive and the block sees answers; null: the block has no clock
  SectorContents* contents = nullptr;  // null: no bytes (`data: none`)
  bool by_sector = false;              // each request is for one sector
  std::uint16_t sm = 0;                // the SM to which the accesses are attributed
};

}  // namespace wharf

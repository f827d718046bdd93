#pragma once
// How the two ends of a link know each other. A port that finds one of this model's ports at the other end speaks to it as it always did;
// behind any other module it puts a gate (foreign_initiator.h, foreign_target.h).

#include <tlm>

namespace wharf {

class ClockDomain;
class SectorContents;

/// What implements the backward interface of a link's initiator here: a port, or a monitor that hands on.
class OwnInitiator : public tlm::tlm_bw_transport_if<> {
 public:
  /// Whoever sends is a port of this model, monitors between or not.
  virtual bool is_own_initiator() { return true; }
};

/// The same of the forward interface of a link's target.
class OwnTarget : public tlm::tlm_fw_transport_if<> {
 public:
  virtual bool is_own_target() { return true; }
};

bool is_own(tlm::tlm_bw_transport_if<>* initiator);
bool is_own(tlm::tlm_fw_transport_if<>* target);

/// What a gate has to know of the block that it stands before.
struct GateTerms {
  ClockDomain* clock = nullptr;        // on whose edges requests arrive and answers are seen; null: a block without a clock
  SectorContents* contents = nullptr;  // null: no bytes (`data: none`)
  bool by_sector = false;              // a request is for one sector
  std::uint16_t sm = 0;                // whose accesses they are taken for
};

}  // namespace wharf

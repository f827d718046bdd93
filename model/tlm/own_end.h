#pragma once
// Lets the ends of a link detect each other. A port that finds a port of this model at the other end calls it directly; for any other
// module it creates a gate (foreign_initiator.h, foreign_target.h).

#include <optional>
#include <tlm>

#include "model/base/host/islands.h"

namespace wharf {

class ClockDomain;
class SectorContents;

/// The base of this model's initiator ends: a port, or a monitor that passes calls on.
class OwnInitiator : public tlm::tlm_bw_transport_if<> {
 public:
  /// The island of the port that sends, with or without monitors between; none if it is not of this model.
  virtual std::optional<unsigned> initiator_island() { return island_; }

 protected:
  const unsigned island_ = Islands::built();
};

/// The base of this model's target ends.
class OwnTarget : public tlm::tlm_fw_transport_if<> {
 public:
  virtual std::optional<unsigned> target_island() { return island_; }

 protected:
  const unsigned island_ = Islands::built();
};

std::optional<unsigned> island_of(tlm::tlm_bw_transport_if<>* initiator);
std::optional<unsigned> island_of(tlm::tlm_fw_transport_if<>* target);
inline bool is_own(tlm::tlm_bw_transport_if<>* initiator) { return island_of(initiator).has_value(); }
inline bool is_own(tlm::tlm_fw_transport_if<>* target) { return island_of(target).has_value(); }
[[noreturn]] void fail_across_islands(const char* socket);

/// The properties of a block that its gate needs.
struct GateTerms {
  ClockDomain* clock = nullptr;        // clock at whose edges requests arrive and the block sees answers; null: the block has no clock
  SectorContents* contents = nullptr;  // null: no bytes (`data: none`)
  bool by_sector = false;              // each request is for one sector
  std::uint16_t sm = 0;                // the SM to which the accesses are attributed
};

}  // namespace wharf

#pragma once
// The initiator that stands in an SM's place before its L1, where another simulator has the cores. Sends one request a cycle, as the
// load/store unit of an SM does, and collects the answers.

#include <cstdint>
#include <optional>
#include <systemc>
#include <vector>

#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"

namespace wharf {

class MemoryPort final : public sc_core::sc_module, public Clocked, private MemoryInitiator {
 public:
  struct Answer {
    Access access;  // of the request
    Cycle cycle;    // of the core clock, in which the answer is here
    ServedBy served_by;
    std::uint64_t tag;
  };

  /// Binds to `entry`. Answers are appended to `answers`, which all ports share.
  MemoryPort(sc_core::sc_module_name name, unsigned sm, ClockDomain& clock, PayloadPool& pool, tlm::tlm_target_socket<>& entry,
             std::vector<Answer>& answers);

  /// Takes `access` for the next cycle, and returns true; false where there is no room. Completes its SM, id and slot.
  bool offer(Access access, std::uint64_t tag);

  void act(Cycle now) override;

 private:
  friend class MemoryInitiatorPortOf<MemoryPort>;
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;
  void answered(Payload& payload, Cycle cycle);

  const std::uint16_t sm_;
  ClockDomain& clock_;
  PayloadPool& pool_;
  std::vector<Answer>& answers_;
  ClockDomain::BlockId block_;
  MemoryInitiatorPortOf<MemoryPort> downstream_;
  std::optional<Access> next_;  // to be sent in the next cycle
  bool blocked_ = false;        // the last request is not accepted
  Cycle free_ = 0;              // from which on the next may be sent
  std::uint64_t last_id_ = 0;
  std::vector<std::uint64_t> tags_;  // [Access::slot]
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace wharf

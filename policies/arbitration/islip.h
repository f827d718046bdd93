#pragma once
// iSLIP (McKeown, "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM Transactions on Networking 7(2), 1999).
// In an iteration, every unmatched output grants the first unmatched input that asks, searching from its grant pointer; every granted input
// accepts the first output, searching from its accept pointer. Both pointers move one beyond the partner, but only when the grant was
// accepted in the first iteration. This desynchronises the outputs' pointers and keeps every request from starving.

#include <array>
#include <cstdint>

#include "policies/arbitration/port_allocator.h"

namespace wharf::arbitration {

class Islip final : public PortAllocator {
 public:
  /// Ports 1..kMaxPorts each way, iterations >= 1.
  Islip(unsigned inputs, unsigned outputs, unsigned iterations) : inputs_(inputs), outputs_(outputs), iterations_(iterations) {
    nearest_.fill(kMaxPorts);
  }
  void allocate(const RequestView& requests, Matching& matching) override;
  bool archive(Archive& file) override;

 private:
  unsigned inputs_, outputs_, iterations_;
  std::array<std::uint8_t, kMaxPorts> grant_from_{};   // [output]
  std::array<std::uint8_t, kMaxPorts> accept_from_{};  // [input]
  std::array<std::uint8_t, kMaxPorts> nearest_;        // [input] distance from accept_from_ to the nearest granting output; else kMaxPorts
};

}  // namespace wharf::arbitration

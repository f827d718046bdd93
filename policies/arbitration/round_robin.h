#pragma once
// Plain round robin: the inputs are served one after the other, each takes the first output that it asks for and that is still free.
// The input that is served first moves on by one every round. The matching is maximal (no free pair is left that could have been
// matched), but serving the inputs one after the other is not what hardware can do in a cycle: a yardstick for iSLIP.

#include <array>
#include <cstdint>

#include "policies/arbitration/port_allocator.h"

namespace wharf::arbitration {

class RoundRobin final : public PortAllocator {
 public:
  /// Ports 1..kMaxPorts each way.
  RoundRobin(unsigned inputs, unsigned outputs) : inputs_(inputs), outputs_(outputs) {}
  void allocate(const RequestView& requests, Matching& matching) override;

 private:
  unsigned inputs_, outputs_;
  unsigned first_ = 0;                               // the input that is served first in the next round
  std::array<std::uint8_t, kMaxPorts> take_from_{};  // [input] the output from which on it looks
  std::array<PortMask, kMaxPorts> wanted_{};         // [input] free outputs that it asks for; empty between rounds
};

}  // namespace wharf::arbitration

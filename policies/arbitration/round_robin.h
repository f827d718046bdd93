#pragma once
// Plain round robin: the inputs are served one after the other, and each takes the first free output that it asks for. The input that is
// served first advances by one every round. The matching is maximal (no free pair remains that could have been matched), but hardware
// cannot serve the inputs sequentially within a cycle: a yardstick for iSLIP.

#include <array>
#include <cstdint>

#include "policies/arbitration/port_allocator.h"

namespace wharf::arbitration {

class RoundRobin final : public PortAllocator {
 public:
  /// Ports 1..kMaxPorts each way.
  RoundRobin(unsigned inputs, unsigned outputs) : inputs_(inputs), outputs_(outputs) {}
  void allocate(const RequestView& requests, Matching& matching) override;
  bool archive(Archive& file) override;

 private:
  unsigned inputs_, outputs_;
  unsigned first_ = 0;                               // the input that is served first in the next round
  std::array<std::uint8_t, kMaxPorts> take_from_{};  // [input] the output at which its search starts
  std::array<PortMask, kMaxPorts> wanted_{};         // [input] free outputs that it asks for; empty between rounds
};

}  // namespace wharf::arbitration

#pragma once
// A packet at the network interface of its source.

#include <cstdint>

#include "model/base/types.h"

namespace wharf::network {

struct CrossbarPacket {
  std::uint64_t handle = 0;  // the owner's name for the message: a number or a pointer
  std::uint16_t output = 0;  // place: output port * classes + class
  std::uint8_t vc = 0;
  std::uint8_t flits = 1;  // 1..kMaxPacketFlits
  Cycle enqueued = 0;      // network cycle in which it was queued at the interface; not later than inject()
};

}  // namespace wharf::network

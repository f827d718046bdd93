#pragma once
// How many flits a packet has (CM-7).

#include <cstdint>

namespace wharf::network {

inline constexpr unsigned kPacketHeaderBytes = 8;
/// A packet of 128 B in the narrowest flit (8 B) has 17 flits; what is longer than this is a wiring error.
inline constexpr unsigned kMaxPacketFlits = 64;

/// Flits of a packet with `payload_bytes` beside its 8 B header, in flits of `flit_bytes` >= 1 bytes.
constexpr unsigned flits_of(unsigned payload_bytes, unsigned flit_bytes) {
  return (kPacketHeaderBytes + payload_bytes + flit_bytes - 1) / flit_bytes;
}

}  // namespace wharf::network

#pragma once
// Packet sizes in flits (CM-7).

#include <cstdint>

namespace wharf::network {

inline constexpr unsigned kPacketHeaderBytes = 8;
/// A packet of 128 B has 17 flits of the narrowest width (8 B); a longer packet than this limit is a wiring error.
inline constexpr unsigned kMaxPacketFlits = 64;

/// Flits of a packet of `payload_bytes` plus the 8 B header, in flits of `flit_bytes` >= 1 bytes.
constexpr unsigned flits_of(unsigned payload_bytes, unsigned flit_bytes) {
  return (kPacketHeaderBytes + payload_bytes + flit_bytes - 1) / flit_bytes;
}

}  // namespace wharf::network

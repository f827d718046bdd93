#pragma once
// The vocabulary of the model: cycle, address, line, sector and lane mask. Everything here is a value type; nothing includes SystemC.

#include <cstddef>
#include <cstdint>
#include <limits>

namespace wharf {

/// Number of edges of one clock since simulation start. The context says which clock.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

/// Simulated time, integral picoseconds (CM-1).
using Picoseconds = std::uint64_t;

/// Byte address in the GPU's global address space.
using Address = std::uint64_t;

inline constexpr unsigned kLanes = 32;        // lanes of a warp
inline constexpr unsigned kLineBytes = 128;   // bytes of a cache line
inline constexpr unsigned kSectorBytes = 32;  // bytes of a sector
inline constexpr unsigned kSectorsPerLine = kLineBytes / kSectorBytes;

/// The value of the word `unlimited` in a configuration (CM-14); never 0.
inline constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

/// One bit per lane, bit l = lane l.
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = ~LaneMask{0};

/// One bit per sector of a line, bit s = bytes [32 s, 32 s + 32).
using SectorMask = std::uint8_t;
inline constexpr SectorMask kAllSectors = 0xF;
constexpr unsigned lowest_sector(SectorMask nonempty) { return static_cast<unsigned>(__builtin_ctz(nonempty)); }
/// Number of sectors in the mask. Reads a table of 16 nibbles, because plain x86-64 has no popcount instruction and the library function
/// costs 20 instructions.
constexpr unsigned sector_count(SectorMask sectors) { return 0x4332322132212110ull >> (sectors * 4u) & 0xF; }

/// Number of a 128 B line: byte address / 128. It is a separate type, so that line numbers and byte addresses cannot be mixed.
struct LineAddress {
  std::uint64_t number = 0;
  static constexpr LineAddress of(Address address) { return {address / kLineBytes}; }
  constexpr Address byte_address() const { return number * kLineBytes; }
  friend constexpr bool operator==(LineAddress a, LineAddress b) { return a.number == b.number; }
  friend constexpr bool operator!=(LineAddress a, LineAddress b) { return a.number != b.number; }
  friend constexpr bool operator<(LineAddress a, LineAddress b) { return a.number < b.number; }
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
  friend constexpr bool operator!=(const Dim3& a, const Dim3& b) { return !(a == b); }
};

}  // namespace wharf

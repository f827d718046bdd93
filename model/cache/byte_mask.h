#pragma once
// A set of bytes of a line, for stores that write parts of sectors and for accesses that meet.

#include <algorithm>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// A set of bytes of a line.
struct ByteMask {
  std::uint64_t low = 0, high = 0;

  /// `first` + `bytes` <= kLineBytes.
  void add(unsigned first, unsigned bytes) {
    const unsigned end = first + bytes;
    if (first < 64) low |= below(std::min(end, 64u)) & ~below(first);
    if (end > 64) high |= below(end - 64) & ~below(std::max(first, 64u) - 64);
  }
  std::uint32_t of_sector(unsigned sector) const { return static_cast<std::uint32_t>((sector < 2 ? low : high) >> (sector % 2 * 32)); }
  bool overlaps(const ByteMask& other) const { return ((low & other.low) | (high & other.high)) != 0; }
  SectorMask full_sectors() const {
    SectorMask mask = 0;
    for (unsigned s = 0; s < kSectorsPerLine; ++s) mask |= static_cast<SectorMask>((of_sector(s) == ~std::uint32_t{0}) << s);
    return mask;
  }

 private:
  /// The first `count` bits, at most 64.
  static std::uint64_t below(unsigned count) { return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }
};

}  // namespace wharf

#pragma once
// What the aggregated tag array answers, and which L1 a miss reads from (ata sections 4.3 and 5).

#include <array>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// [sector]: one bit for each L1 of the cluster that has the sector VALID. The source's vector of one bit an L1 is the union of them.
using HitVector = std::array<std::uint64_t, kSectorsPerLine>;

/// Who is to supply which sectors; none where nobody has any.
struct Holder {
  unsigned cache = 0;
  SectorMask sectors = 0;
};

/// Of `size` L1s the one that has most of the sectors in `need`, `self` left out; among equals the next one upward from `self`, cyclically
/// (ATA-O16).
inline Holder best_holder(const HitVector& hits, SectorMask need, unsigned self, unsigned size) {
  std::uint64_t any = 0;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (need >> s & 1) any |= hits[s];
  any &= ~(std::uint64_t{1} << self);
  Holder best;
  unsigned most = 0;
  for (unsigned step = 1; any != 0 && step < size; ++step) {
    const unsigned cache = self + step < size ? self + step : self + step - size;
    if ((any >> cache & 1) == 0) continue;
    unsigned sectors = 0;
    for (unsigned s = 0; s < kSectorsPerLine; ++s) sectors |= static_cast<unsigned>(hits[s] >> cache & 1) << s;
    sectors &= need;
    if (sector_count(static_cast<SectorMask>(sectors)) <= most) continue;
    best = {cache, static_cast<SectorMask>(sectors)};
    most = sector_count(best.sectors);
    if (best.sectors == need) break;
  }
  return best;
}

}  // namespace wharf

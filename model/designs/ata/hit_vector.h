#pragma once
// The answer of the aggregated tag array, and the choice of the L1 that a miss reads from (ata sections 4.3 and 5).

#include <array>
#include <cstdint>

#include "model/base/types.h"

namespace wharf {

/// [sector]: one bit per L1 of the cluster that holds the sector VALID. The source's vector with one bit per L1 is the union over the
/// sectors.
using HitVector = std::array<std::uint64_t, kSectorsPerLine>;

/// Which L1 supplies which sectors; no sectors if no L1 holds any.
struct Holder {
  unsigned cache = 0;
  SectorMask sectors = 0;
};

/// Returns the one of `size` L1s, without `self`, that holds most of the sectors in `need`. Ties go to the next L1 upward from `self`,
/// cyclically (ATA-O16).
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

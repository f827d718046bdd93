// Which L1 of a cluster a miss reads from (ata section 5, ATA-O16 and ATA-O17).

#include "model/designs/ata/hit_vector.h"

#include <catch2/catch.hpp>

using namespace wharf;

namespace {

/// Each L1's sectors of the line, by L1 number.
HitVector hits(std::initializer_list<SectorMask> of_cache) {
  HitVector vector{};
  unsigned cache = 0;
  for (const SectorMask sectors : of_cache) {
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (sectors >> s & 1) vector[s] |= std::uint64_t{1} << cache;
    ++cache;
  }
  return vector;
}

}  // namespace

TEST_CASE("hit vector: nobody supplies what nobody else has") {
  CHECK(best_holder({}, 0b1111, 0, 10).sectors == 0);
  CHECK(best_holder(hits({0b1111, 0, 0}), 0b1111, 0, 3).sectors == 0);
  CHECK(best_holder(hits({0, 0b0011, 0b0001}), 0b1100, 0, 3).sectors == 0);
}

TEST_CASE("hit vector: the L1 with most of the needed sectors supplies them, and no other sectors") {
  const Holder holder = best_holder(hits({0, 0b1000, 0b0111, 0b1001}), 0b0110, 0, 4);
  CHECK(holder.cache == 2);
  CHECK(holder.sectors == 0b0110);
  CHECK(best_holder(hits({0, 0b0001, 0b1000, 0b1001}), 0b1011, 0, 4).cache == 3);
}

TEST_CASE("hit vector: among equals the next one upward from the requester supplies, cyclically") {
  const HitVector all = hits({1, 1, 1, 1});
  for (unsigned self = 0; self < 4; ++self) CHECK(best_holder(all, 1, self, 4).cache == (self + 1) % 4);
  CHECK(best_holder(hits({1, 0, 0, 1}), 1, 1, 4).cache == 3);
  CHECK(best_holder(hits({1, 0, 0, 0, 0}), 1, 3, 5).cache == 0);
}

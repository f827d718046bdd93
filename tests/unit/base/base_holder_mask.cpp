#include "model/base/holder_mask.h"

#include <catch2/catch.hpp>

#include "model/base/rng.h"

using namespace wharf;

TEST_CASE("a mask of holders can be cut to a range and numbered anew") {
  Rng rng(1);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 300; ++i) {
    HolderMask mask;
    for (unsigned h = 0; h < HolderMask::kMaxHolders; ++h)
      if (rng.chance(0.5)) mask.set(h);
    const auto first = static_cast<unsigned>(rng.below(HolderMask::kMaxHolders));
    const auto count = static_cast<unsigned>(rng.between(1, HolderMask::kMaxHolders - first));
    HolderMask kept = mask;
    kept.restrict_to(first, count);
    const HolderMask anew = kept.from(first);
    for (unsigned h = 0; h < HolderMask::kMaxHolders; ++h) {
      wrong += kept.test(h) != (mask.test(h) && h >= first && h < first + count);
      wrong += anew.test(h) != (h < count && mask.test(first + h));
    }
  }
  CHECK(wrong == 0);
}

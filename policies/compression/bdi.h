#pragma once
// Base-delta-immediate with 4 B segments, the first of which is the base (morpheus section 7 points 2 and 3). One lane of a warp register
// keeps the difference of its segment in a byte (high: 32 B per line) or a halfword (low: 64 B), or the whole segment. Differences wrap at
// 32 bits.

#include "policies/compression/compression.h"

namespace wharf {

class Bdi final : public Compressor {
 public:
  CompressedLine compress(const LineBytes& line) const override;
  LineBytes decompress(const CompressedLine& line) const override;
};

}  // namespace wharf

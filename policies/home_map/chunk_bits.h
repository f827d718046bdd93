#pragma once
// Home = the address bits above a 256 B chunk, as many as name every home, in the way an L2 bank is selected; values that name no home fold
// to value mod homes (dc_l1 section 2). With 40 homes under six bits, 24 homes own two of the 64 values, and 16 own one. A home numbers the
// chunks of its values alternately, so that no home bit is a constant set bit (DC-6).

#include "model/base/bits.h"
#include "policies/home_map/home_map.h"

namespace wharf {

class ChunkBits final : public HomeMap {
 public:
  explicit ChunkBits(std::uint32_t homes) : homes_(homes), bits_(ceil_log2(homes)) {}

  Home locate(LineAddress line) const override {
    constexpr unsigned kLineBits = 1;  // selects one of a chunk's two lines
    const std::uint64_t chunk = line.number >> kLineBits, values = std::uint64_t{1} << bits_;
    const std::uint64_t value = chunk & (values - 1), round = chunk >> bits_;
    const bool folds = value >= homes_;
    const std::uint64_t home = folds ? value - homes_ : value;
    const bool owns_two = home + homes_ < values;
    const std::uint64_t nth = owns_two ? 2 * round + (folds ? 1 : 0) : round;
    return {static_cast<std::uint32_t>(home), nth << kLineBits | (line.number & 1)};
  }

 private:
  std::uint32_t homes_;
  unsigned bits_;
};

}  // namespace wharf

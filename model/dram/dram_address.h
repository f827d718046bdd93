#pragma once
// Decodes a byte address into bank, row and column of a DRAM channel (common section 7; CM-38 for `mask`).

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/bits.h"
#include "model/base/types.h"
#include "model/dram/dram_params.h"

namespace wharf {

struct DramLocation {
  unsigned bank = 0;
  std::uint64_t row = 0;
  std::uint32_t column = 0;  // in units of 32 B
};

/// A field assembled from address bits; contiguous runs of bits move together.
class DramBitField {
 public:
  DramBitField() = default;
  explicit DramBitField(const std::vector<std::uint32_t>& bits) {
    for (unsigned i = 0; i < bits.size(); ++i) {
      if (i == 0 || bits[i] != bits[i - 1] + 1) runs_[count_++] = {bits[i], i, 0};
      Run& run = runs_[count_ - 1];
      run.mask = run.mask << 1 | 1;
    }
  }
  std::uint64_t of(Address address) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count_; ++i) value |= (address >> runs_[i].from & runs_[i].mask) << runs_[i].to;
    return value;
  }

 private:
  struct Run {
    unsigned from = 0, to = 0;
    std::uint64_t mask = 0;
  };
  std::array<Run, 64> runs_{};
  unsigned count_ = 0;
};

class DramAddressDecoder {
 public:
  explicit DramAddressDecoder(const DramParams& params)
      : by_mask_(params.mapping == DramMapping::mask),
        bank_(params.mask.bank_bits),
        column_(params.mask.column_bits),
        row_(params.mask.row_bits),
        column_bits_(floor_log2(params.row_bytes)),
        bank_bits_(floor_log2(params.banks)) {}

  /// `address` is the full byte address, `local` the byte address within the channel. Each mapping uses one of them.
  DramLocation locate(Address address, Address local) const {
    if (by_mask_) return {static_cast<unsigned>(bank_.of(address)), row_.of(address), static_cast<std::uint32_t>(column_.of(address))};
    const std::uint64_t bank_mask = (std::uint64_t{1} << bank_bits_) - 1, chunk = local >> column_bits_, row = chunk >> bank_bits_;
    const std::uint64_t in_row = local & ((std::uint64_t{1} << column_bits_) - 1);
    return {static_cast<unsigned>((chunk ^ row) & bank_mask), row, static_cast<std::uint32_t>(in_row / kSectorBytes)};
  }

 private:
  bool by_mask_;
  DramBitField bank_, column_, row_;
  unsigned column_bits_, bank_bits_;
};

}  // namespace wharf

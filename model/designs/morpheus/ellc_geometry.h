#pragma once
// Maps sets to the warps of the cache-mode SMs that own them (morpheus section 4.3). A set is a row of its partition's warp status table.
// All register-file sets come first, then all L1 sets, then all shared-memory sets, each in the order of SMs and warps.

#include <cstdint>
#include <vector>

#include "model/designs/morpheus/cache_mode/ellc_kernel_params.h"

namespace wharf {

struct EllcSet {
  std::uint16_t cache_sm = 0;  // 0 .. cache SMs - 1; SM number = SMs in compute mode + this
  std::uint16_t warp = 0;
  EllcUnit unit = EllcUnit::register_file;
  std::uint32_t blocks = 0;  // the set's share of the addresses
};

class EllcGeometry {
 public:
  /// Upper bound on the rows of a partition: a message carries the row number in one byte.
  static constexpr unsigned kMostRows = 256;
  struct Place {
    unsigned partition = 0, row = 0;
  };

  EllcGeometry(const EllcKernelParams& kernel, unsigned cache_sms, unsigned partitions);

  unsigned cache_sms() const { return cache_sms_; }
  unsigned partitions() const { return static_cast<unsigned>(rows_.size()); }
  const std::vector<EllcSet>& rows(unsigned partition) const { return rows_.at(partition); }
  /// Rows of the fullest partition. The caller compares it with kMostRows before it builds anything.
  unsigned most_rows() const;
  /// Upper bound on the blocks that all sets together can hold.
  std::size_t most_blocks() const { return most_blocks_; }
  const Place& place(unsigned cache_sm, unsigned warp) const { return places_.at(std::size_t{cache_sm} * warps_ + warp); }

 private:
  unsigned cache_sms_, warps_;
  std::size_t most_blocks_ = 0;
  std::vector<std::vector<EllcSet>> rows_;  // [partition]
  std::vector<Place> places_;               // [cache SM][warp]
};

}  // namespace wharf

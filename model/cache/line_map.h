#pragma once
// An open-addressed map from a 64-bit key (a line or sector number) to a 32-bit value: the index of tables that do
// not have the key elsewhere (model/cache/slot_index.h is for those that do).
// Uses linear probing. A removal shifts the following run back, so there are no tombstones. The capacity is fixed at construction.

#include <cstdint>
#include <vector>

#include "model/base/bits.h"

namespace wharf {

class LineMap {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  /// Reserves room for `entries` keys at a load factor of at most one half.
  explicit LineMap(std::size_t entries) {
    std::size_t size = 4;
    while (size < 2 * entries) size *= 2;
    cells_.resize(size);
    mask_ = size - 1;
  }

  /// Bytes of host memory for `entries` keys.
  static std::uint64_t bytes(std::uint64_t entries) { return sizeof(Cell) << ceil_log2(2 * entries); }

  std::uint32_t find(std::uint64_t key) const {
    for (std::size_t i = home(key);; i = (i + 1) & mask_) {
      if (cells_[i].value == kAbsent) return kAbsent;
      if (cells_[i].key == key) return cells_[i].value;
    }
  }

  /// Prefetches the key's cell into the host's cache before a search.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&cells_[home(key)]); }

  /// `key` must be absent and `value` not kAbsent.
  void insert(std::uint64_t key, std::uint32_t value) {
    std::size_t i = home(key);
    while (cells_[i].value != kAbsent) i = (i + 1) & mask_;
    cells_[i] = {key, value};
  }

  /// `key` must be present.
  void erase(std::uint64_t key) {
    std::size_t hole = home(key);
    while (cells_[hole].key != key || cells_[hole].value == kAbsent) hole = (hole + 1) & mask_;
    for (std::size_t i = (hole + 1) & mask_; cells_[i].value != kAbsent; i = (i + 1) & mask_) {
      // The entry at i may move into the hole unless its home is after the hole on the way to i.
      if (((i - home(cells_[i].key)) & mask_) < ((i - hole) & mask_)) continue;
      cells_[hole] = cells_[i];
      hole = i;
    }
    cells_[hole].value = kAbsent;
  }

  void clear() {
    for (Cell& cell : cells_) cell.value = kAbsent;
  }

 private:
  struct Cell {
    std::uint64_t key = 0;
    std::uint32_t value = kAbsent;
  };
  std::size_t home(std::uint64_t key) const { return ((key * 0x9E3779B97F4A7C15ull) >> 32) & mask_; }

  std::vector<Cell> cells_;
  std::size_t mask_ = 0;
};

}  // namespace wharf

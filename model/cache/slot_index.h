#pragma once
// Finds the slot of a line in a table without scanning it: in a tag array with many ways, among MSHRs. An open-addressed table with linear
// probing; a removal shifts the following run back, so there are no tombstones. A cell has a print of the line's number and no number, because
// the slot has that: half the size means fewer misses of the host's cache. The capacity is fixed at construction.

#include <cstdint>
#include <vector>

#include "model/base/bits.h"

namespace wharf {

class SlotIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Reserves room for `lines` at a load factor of at most one half. A slot may have several.
  explicit SlotIndex(std::size_t lines)
      : cells_(std::size_t{1} << ceil_log2(2 * lines)), mask_(static_cast<std::uint32_t>(cells_.size() - 1)) {}

  /// Bytes of host memory for that many lines.
  static std::uint64_t bytes(std::uint64_t lines) { return sizeof(Cell) << ceil_log2(2 * lines); }

  /// The slot that has the line, or kNone. `has(slot)` says whether a slot does; it is asked where prints are equal.
  template <class Has>
  std::uint32_t find(std::uint64_t line_number, Has has) const {
    const std::uint32_t print = print_of(line_number);
    for (std::uint32_t i = print & mask_;; i = (i + 1) & mask_) {
      if (cells_[i].slot == kNone) return kNone;
      if (cells_[i].print == print && has(cells_[i].slot)) return cells_[i].slot;
    }
  }

  /// Prefetches the line's cell into the host's cache before a search.
  void prefetch(std::uint64_t line_number) const { __builtin_prefetch(&cells_[print_of(line_number) & mask_]); }

  /// The line may not be there yet.
  void insert(std::uint64_t line_number, std::uint32_t slot) {
    const std::uint32_t print = print_of(line_number);
    std::uint32_t i = print & mask_;
    while (cells_[i].slot != kNone) i = (i + 1) & mask_;
    cells_[i] = {print, slot};
  }

  /// The slot must have been inserted with this line.
  void erase(std::uint64_t line_number, std::uint32_t slot) {
    const std::uint32_t print = print_of(line_number);
    std::uint32_t hole = print & mask_;
    while (cells_[hole].slot != slot || cells_[hole].print != print) hole = (hole + 1) & mask_;
    for (std::uint32_t i = (hole + 1) & mask_; cells_[i].slot != kNone; i = (i + 1) & mask_) {
      // The cell at i may move into the hole unless its home is after the hole on the way to i.
      if (((i - cells_[i].print) & mask_) < ((i - hole) & mask_)) continue;
      cells_[hole] = cells_[i];
      hole = i;
    }
    cells_[hole].slot = kNone;
  }

  void clear() {
    for (Cell& cell : cells_) cell.slot = kNone;
  }

 private:
  struct Cell {
    std::uint32_t print = 0;
    std::uint32_t slot = kNone;
  };
  static std::uint32_t print_of(std::uint64_t line_number) {
    return static_cast<std::uint32_t>((line_number * 0x9E3779B97F4A7C15ull) >> 32);
  }

  std::vector<Cell> cells_;
  std::uint32_t mask_;
};

}  // namespace wharf

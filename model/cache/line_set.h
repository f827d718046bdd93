#pragma once
// A set of lines that only grows until it is cleared: open-addressed, doubling when half full.

#include <cstdint>
#include <vector>

#include "model/base/types.h"

namespace wharf {

class LineSet {
 public:
  LineSet() : cells_(64, kFree) {}

  bool contains(LineAddress line) const { return cells_[find(line.number)] == line.number; }
  std::size_t size() const { return size_; }

  void insert(LineAddress line) {
    const std::size_t cell = find(line.number);
    if (cells_[cell] == line.number) return;
    cells_[cell] = line.number;
    if (2 * ++size_ > cells_.size()) grow();
  }

  void clear() {
    if (size_ != 0) cells_.assign(cells_.size(), kFree);
    size_ = 0;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no line number: those have 57 bits

  std::size_t find(std::uint64_t number) const {
    const std::size_t mask = cells_.size() - 1;
    std::size_t cell = (number * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (cells_[cell] != number && cells_[cell] != kFree) cell = (cell + 1) & mask;
    return cell;
  }
  void grow() {
    std::vector<std::uint64_t> old(2 * cells_.size(), kFree);
    old.swap(cells_);
    for (const std::uint64_t number : old)
      if (number != kFree) cells_[find(number)] = number;
  }

  std::vector<std::uint64_t> cells_;
  std::size_t size_ = 0;
};

}  // namespace wharf

#pragma once
// An open-addressed set of lines that doubles when it is half full.

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

  void erase(LineAddress line) {
    std::size_t hole = find(line.number);
    if (cells_[hole] == kFree) return;
    // An entry behind the hole moves into it if its search would pass the hole.
    const std::size_t mask = cells_.size() - 1;
    for (std::size_t cell = (hole + 1) & mask; cells_[cell] != kFree; cell = (cell + 1) & mask)
      if (((cell - first_of(cells_[cell])) & mask) >= ((cell - hole) & mask)) {
        cells_[hole] = cells_[cell];
        hole = cell;
      }
    cells_[hole] = kFree;
    --size_;
  }

  void clear() {
    if (size_ != 0) cells_.assign(cells_.size(), kFree);
    size_ = 0;
  }
  template <class File>
  void archive(File& file) {
    file(cells_, size_);
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // not a line number: those have 57 bits

  std::size_t first_of(std::uint64_t number) const { return (number * 0x9E3779B97F4A7C15u >> 32) & (cells_.size() - 1); }
  std::size_t find(std::uint64_t number) const {
    const std::size_t mask = cells_.size() - 1;
    std::size_t cell = first_of(number);
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

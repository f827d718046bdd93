#pragma once
// The ways of a set in order of last use, for sets with many ways: a linked list instead of time stamps, so that finding a victim among 256
// ways (CM-38) needs no scan.

#include <cstdint>
#include <vector>

namespace wharf {

class WayRing {
 public:
  static constexpr std::uint32_t kMostWays = 32768;

  /// Way 0 is the oldest of `ways`, 1..kMostWays.
  explicit WayRing(std::uint32_t ways) : cells_(ways + 1) {
    for (std::uint32_t cell = 0; cell <= ways; ++cell)
      cells_[cell] = {static_cast<std::uint16_t>(cell == 0 ? ways : cell - 1), static_cast<std::uint16_t>(cell == ways ? 0 : cell + 1)};
  }

  void make_newest(std::uint32_t way) {
    const auto cell = static_cast<std::uint16_t>(way + 1);
    if (cells_[0].older == cell) return;
    const Links links = cells_[cell];
    cells_[links.older].newer = links.newer;
    cells_[links.newer].older = links.older;
    cells_[cell] = {cells_[0].older, 0};
    cells_[cells_[0].older].newer = cell;
    cells_[0].older = cell;
  }

  template <class File>
  void archive(File& file) {
    file.elements(cells_);
  }

  /// The oldest way for which `eligible(way)` holds; -1 if there is none.
  template <class Eligible>
  int oldest(const Eligible& eligible) const {
    for (std::uint32_t cell = cells_[0].newer; cell != 0; cell = cells_[cell].newer)
      if (eligible(cell - 1)) return static_cast<int>(cell - 1);
    return -1;
  }

 private:
  struct Links {
    std::uint16_t older, newer;
  };
  std::vector<Links> cells_;  // the head, which closes the ring between newest and oldest, and way w in cell w + 1
};

}  // namespace wharf

#pragma once
// The ways of a set in order of last use: a permutation in one word, for sets with few ways.

#include <cstdint>

namespace wharf {

class WayOrder {
 public:
  static constexpr std::uint32_t kMostWays = 16;

  /// Way 0 is the oldest of `ways`, 1..kMostWays.
  explicit WayOrder(std::uint32_t ways) {
    for (std::uint64_t age = 0; age < kMostWays; ++age) digits_ |= (age < ways ? ways - 1 - age : age) << 4 * age;
  }

  void make_newest(std::uint32_t way) {
    // The digit that equals `way` becomes 0. The subtraction first borrows at the lowest 0 digit, in its highest bit.
    const std::uint64_t differs = digits_ ^ kOnes * way;
    const std::uint64_t borrows = (differs - kOnes) & ~differs & kOnes << 3;
    // The digits below it move up one position, over it.
    const std::uint64_t moved = 2 * (borrows & -borrows) - 1;
    digits_ ^= (digits_ ^ (digits_ << 4 | way)) & moved;
  }

  /// The way after which `age` others have been used: 0 for the newest.
  std::uint32_t of_age(std::uint32_t age) const { return static_cast<std::uint32_t>(digits_ >> 4 * age) & 15; }

 private:
  static constexpr std::uint64_t kOnes = 0x1111'1111'1111'1111;

  std::uint64_t digits_ = 0;  // four bits per way, newest lowest; unused digits stay above the others
};

}  // namespace wharf

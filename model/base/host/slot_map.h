#pragma once
// Marks the occupied slots of a timing wheel, one bit per slot, and finds the next one.

#include <cstdint>

#include "model/base/bits.h"
#include "model/base/types.h"

namespace wharf {

/// Slots are cycles modulo kSlots. The caller keeps all marked cycles within kSlots of each other.
class SlotMap {
 public:
  static constexpr Cycle kSlots = 1024;

  void set(Cycle cycle) { words_[cycle % kSlots / 64] |= std::uint64_t{1} << (cycle % 64); }
  void clear(Cycle cycle) { words_[cycle % kSlots / 64] &= ~(std::uint64_t{1} << (cycle % 64)); }

  /// The first marked cycle in [from, from + kSlots); kNever if there is none.
  Cycle next(Cycle from) const {
    // Searches the rest of from's word, the following words, and the beginning of from's word.
    const auto start = static_cast<unsigned>(from % kSlots);
    for (unsigned i = 0; i <= kWords; ++i) {
      const unsigned word = (start / 64 + i) % kWords;
      std::uint64_t bits = words_[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (start % 64);
      if (i == kWords) bits &= (std::uint64_t{1} << (start % 64)) - 1;
      if (bits != 0) return from + (word * 64 + lowest_bit(bits) + kSlots - start) % kSlots;
    }
    return kNever;
  }

 private:
  static constexpr unsigned kWords = kSlots / 64;
  std::uint64_t words_[kWords] = {};
};

}  // namespace wharf

#pragma once
// Which slots of a timing wheel hold something: one byte a slot, so that marking is one store, and the search for the next one.

#include <cstdint>
#include <cstring>

#include "model/base/types.h"

namespace wharf {

/// Cycles are taken modulo kSlots; whoever marks a cycle keeps it within kSlots of those still marked.
class SlotMap {
 public:
  static constexpr Cycle kSlots = 1024;

  void set(Cycle cycle) { marks_[cycle % kSlots] = 1; }
  void clear(Cycle cycle) { marks_[cycle % kSlots] = 0; }

  /// The first marked cycle in [from, from + kSlots), kNever where there is none.
  Cycle next(Cycle from) const { return marks_[from % kSlots] != 0 ? from : search(from); }

 private:
  static constexpr unsigned kStep = sizeof(std::uint64_t);

  Cycle search(Cycle from) const {
    // The rest of from's word, the following words, and the beginning of from's word.
    const auto start = static_cast<unsigned>(from % kSlots), first = start / kStep * kStep, in_word = start % kStep * 8;
    for (unsigned passed = 0; passed <= kSlots; passed += kStep) {
      const auto place = static_cast<unsigned>((first + passed) % kSlots);
      std::uint64_t marks;
      std::memcpy(&marks, marks_ + place, kStep);
      if (passed == 0) marks &= ~std::uint64_t{0} << in_word;
      if (passed == kSlots) marks &= (std::uint64_t{1} << in_word) - 1;
      if (marks != 0) return from + (place + static_cast<unsigned>(__builtin_ctzll(marks)) / 8 + kSlots - start) % kSlots;
    }
    return kNever;
  }

  alignas(kStep) std::uint8_t marks_[kSlots] = {};
};

}  // namespace wharf

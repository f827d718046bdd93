#pragma once
// Bit operations on unsigned words, for masks of lanes, sectors and warps and for sizes that must be powers of two.

#include <type_traits>

namespace wharf {

/// Number of set bits.
template <class Word>
constexpr unsigned popcount(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return static_cast<unsigned>(__builtin_popcountll(word));
}

/// Index of the lowest set bit; the width of the type for 0.
template <class Word>
constexpr unsigned count_trailing_zeros(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return word == 0 ? sizeof(Word) * 8u : static_cast<unsigned>(__builtin_ctzll(word));
}

template <class Word>
constexpr bool is_power_of_two(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return word != 0 && (word & (word - 1)) == 0;
}

/// Largest n with 2^n <= word; 0 for 0.
template <class Word>
constexpr unsigned floor_log2(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return word == 0 ? 0u : 63u - static_cast<unsigned>(__builtin_clzll(word));
}

/// Smallest n with 2^n >= word; 0 for 0.
template <class Word>
constexpr unsigned ceil_log2(Word word) {
  return word <= 1 ? 0u : floor_log2(static_cast<Word>(word - 1)) + 1u;
}

}  // namespace wharf

#pragma once
// Operations on unsigned words: bits of masks of lanes, sectors and warps, and sizes that are powers of two or multiples.

#include <type_traits>

namespace wharf {

/// Number of set bits.
template <class Word>
constexpr unsigned popcount(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return static_cast<unsigned>(__builtin_popcountll(word));
}

/// The least multiple of `multiple` that is not below `value`.
template <class Word>
constexpr Word round_up(Word value, std::common_type_t<Word> multiple) {
  static_assert(std::is_unsigned_v<Word>);
  return (value + multiple - 1) / multiple * multiple;
}

/// Index of the lowest set bit; the width of the type for 0.
template <class Word>
constexpr unsigned count_trailing_zeros(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return word == 0 ? sizeof(Word) * 8u : static_cast<unsigned>(__builtin_ctzll(word));
}

/// Index of the lowest set bit of a word that is not 0.
template <class Word>
constexpr unsigned lowest_bit(Word word) {
  static_assert(std::is_unsigned_v<Word>);
  return static_cast<unsigned>(__builtin_ctzll(word));
}

/// The first set bit at or after `from`, wrapping around: one round-robin step. The word must not be 0, and `from` < 64.
template <class Word>
constexpr unsigned next_bit_from(Word word, unsigned from) {
  const Word at_or_after = static_cast<Word>(word >> from << from);
  return lowest_bit(at_or_after != 0 ? at_or_after : word);
}

/// The indices of the set bits in ascending order, for a range-based for. The loop iterates over a copy of the word.
template <class Word>
class SetBits {
  static_assert(std::is_unsigned_v<Word>);

 public:
  class Iterator {
   public:
    constexpr explicit Iterator(Word rest) : rest_(rest) {}
    constexpr unsigned operator*() const { return lowest_bit(rest_); }
    constexpr Iterator& operator++() {
      rest_ = static_cast<Word>(rest_ & (rest_ - 1));
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return rest_ != other.rest_; }

   private:
    Word rest_;
  };

  constexpr explicit SetBits(Word word) : word_(word) {}
  constexpr Iterator begin() const { return Iterator(word_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  Word word_;
};

template <class Word>
constexpr SetBits<Word> set_bits(Word word) {
  return SetBits<Word>(word);
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

#pragma once
// A set of up to 512 places (nodes, or nodes times classes), as words. Most networks need one word, and most sets are nearly empty, so a
// separate word marks the nonzero words.

#include <array>
#include <cstdint>

#include "model/base/bits.h"

namespace wharf::network {

class NodeMask {
 public:
  static constexpr unsigned kPlaces = 512;

  void set(unsigned place) {
    words_[place >> 6] |= bit(place);
    used_ |= 1u << (place >> 6);
  }
  void clear(unsigned place) {
    if ((words_[place >> 6] &= ~bit(place)) == 0) used_ &= ~(1u << (place >> 6));
  }
  bool test(unsigned place) const { return (words_[place >> 6] & bit(place)) != 0; }
  bool any() const { return used_ != 0; }

  friend NodeMask operator&(const NodeMask& a, const NodeMask& b) {
    NodeMask both;
    for (const unsigned w : set_bits(a.used_ & b.used_)) {
      both.words_[w] = a.words_[w] & b.words_[w];
      if (both.words_[w] != 0) both.used_ |= 1u << w;
    }
    return both;
  }
  /// The first place at or after `from`, wrapping around: one round-robin step. The set must not be empty.
  unsigned next_from(unsigned from) const {
    const unsigned w = from >> 6;
    const std::uint64_t rest = words_[w] & (~std::uint64_t{0} << (from & 63));
    if (rest != 0) return w * 64 + lowest_bit(rest);
    const unsigned word = next_bit_from(used_, w + 1);
    return word * 64 + lowest_bit(words_[word]);
  }
  /// Returns the set and empties it.
  NodeMask drain() {
    NodeMask taken;
    for (const unsigned w : set_bits(used_)) {
      taken.words_[w] = words_[w];
      words_[w] = 0;
    }
    taken.used_ = used_;
    used_ = 0;
    return taken;
  }

  /// Calls `visit(place)` in ascending order. `visit` may clear the place it receives and must make no other change.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const unsigned w : set_bits(used_))
      for (const unsigned place : set_bits(words_[w])) visit(w * 64 + place);
  }

 private:
  static constexpr unsigned kWords = kPlaces / 64;
  static std::uint64_t bit(unsigned place) { return std::uint64_t{1} << (place & 63); }

  std::array<std::uint64_t, kWords> words_{};
  unsigned used_ = 0;  // one bit per word
};

}  // namespace wharf::network

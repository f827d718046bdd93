#pragma once
// A set of up to 512 places (nodes, or nodes times classes) as words: which of them have something to do.

#include <array>
#include <cstdint>

namespace wharf::network {

class NodeMask {
 public:
  static constexpr unsigned kPlaces = 512;

  void set(unsigned place) { words_[place >> 6] |= bit(place); }
  void clear(unsigned place) { words_[place >> 6] &= ~bit(place); }
  bool test(unsigned place) const { return (words_[place >> 6] & bit(place)) != 0; }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words_) all |= word;
    return all != 0;
  }
  NodeMask& operator|=(const NodeMask& o) {
    for (unsigned w = 0; w < kWords; ++w) words_[w] |= o.words_[w];
    return *this;
  }
  friend NodeMask operator&(NodeMask a, const NodeMask& b) {
    for (unsigned w = 0; w < kWords; ++w) a.words_[w] &= b.words_[w];
    return a;
  }

  /// Calls `visit(place)` in ascending order. `visit` may clear the place it is given, and make no other change.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (unsigned w = 0; w < kWords; ++w)
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(w * 64 + static_cast<unsigned>(__builtin_ctzll(rest)));
  }

 private:
  static constexpr unsigned kWords = kPlaces / 64;
  static std::uint64_t bit(unsigned place) { return std::uint64_t{1} << (place & 63); }

  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace wharf::network

#pragma once
// A set of up to 128 ports as two words: the requests, the free ports and the round-robin searches of a crossbar.

#include <cstdint>

namespace wharf::arbitration {

inline constexpr unsigned kMaxPorts = 128;

class PortMask {
 public:
  constexpr PortMask() = default;
  /// The ports 0 .. count - 1.
  static constexpr PortMask first(unsigned count) {
    PortMask mask;
    mask.word_[0] = count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    mask.word_[1] = count >= 128 ? ~std::uint64_t{0} : count <= 64 ? 0 : (std::uint64_t{1} << (count - 64)) - 1;
    return mask;
  }

  constexpr void set(unsigned port) { word_[port >> 6] |= bit(port); }
  constexpr void clear(unsigned port) { word_[port >> 6] &= ~bit(port); }
  constexpr bool test(unsigned port) const { return (word_[port >> 6] & bit(port)) != 0; }
  /// Ports 64 * index .. 64 * index + 63, the first of them the lowest bit.
  constexpr std::uint64_t word(unsigned index) const { return word_[index]; }
  constexpr bool any() const { return (word_[0] | word_[1]) != 0; }
  constexpr bool none() const { return !any(); }
  constexpr bool intersects(const PortMask& o) const { return ((word_[0] & o.word_[0]) | (word_[1] & o.word_[1])) != 0; }
  unsigned count() const { return static_cast<unsigned>(__builtin_popcountll(word_[0]) + __builtin_popcountll(word_[1])); }

  constexpr PortMask& operator|=(const PortMask& o) {
    word_[0] |= o.word_[0];
    word_[1] |= o.word_[1];
    return *this;
  }
  constexpr PortMask& operator&=(const PortMask& o) {
    word_[0] &= o.word_[0];
    word_[1] &= o.word_[1];
    return *this;
  }
  /// The ports of this set that are not in `o`.
  constexpr PortMask without(const PortMask& o) const {
    PortMask mask;
    mask.word_[0] = word_[0] & ~o.word_[0];
    mask.word_[1] = word_[1] & ~o.word_[1];
    return mask;
  }
  friend constexpr PortMask operator&(PortMask a, const PortMask& b) { return a &= b; }
  friend constexpr PortMask operator|(PortMask a, const PortMask& b) { return a |= b; }
  friend constexpr bool operator==(const PortMask& a, const PortMask& b) { return a.word_[0] == b.word_[0] && a.word_[1] == b.word_[1]; }

  /// set() or clear() where `condition` holds, without a branch: for what nobody can guess.
  constexpr void set_if(bool condition, unsigned port) { word_[port >> 6] |= std::uint64_t{condition} << (port & 63); }
  constexpr void clear_if(bool condition, unsigned port) { word_[port >> 6] &= ~(std::uint64_t{condition} << (port & 63)); }

  /// The first port at or after `from`, cyclically: one round-robin step. The set must not be empty; `from` < kMaxPorts.
  unsigned next_from(unsigned from) const {
    // Masks, not branches: the pointers are as good as random, and a wrong guess costs more than the rest.
    const std::uint64_t in_first = all_ones_if(from < 64), after = ~std::uint64_t{0} << (from & 63);
    const std::uint64_t tail[2] = {word_[0] & after & in_first, word_[1] & (after | in_first)};
    const std::uint64_t around = all_ones_if((tail[0] | tail[1]) == 0);
    const std::uint64_t word[2] = {tail[0] | (word_[0] & around), tail[1] | (word_[1] & around)};
    const std::uint64_t second = all_ones_if(word[0] == 0);
    return static_cast<unsigned>(second & 64) + trailing_zeros(word[0] | (word[1] & second));
  }

  /// Calls `visit(port)` in ascending order. `visit` may clear the port it is given from this set, and no other change.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (unsigned w = 0; w < 2; ++w)
      for (std::uint64_t rest = word_[w]; rest != 0; rest &= rest - 1) visit(w * 64 + trailing_zeros(rest));
  }

 private:
  static constexpr std::uint64_t bit(unsigned port) { return std::uint64_t{1} << (port & 63); }
  static constexpr std::uint64_t all_ones_if(bool condition) { return -std::uint64_t{condition}; }
  static unsigned trailing_zeros(std::uint64_t word) { return static_cast<unsigned>(__builtin_ctzll(word)); }

  std::uint64_t word_[2] = {0, 0};
};

}  // namespace wharf::arbitration

#pragma once
// Sets of ports, and of places of a crossbar, as words, for requests, free ports and round-robin searches.

#include <cstdint>

#include "model/base/bits.h"

namespace wharf::arbitration {

inline constexpr unsigned kMaxPorts = 128;
/// Ports times classes of traffic.
inline constexpr unsigned kMaxPlaces = 256;

template <unsigned kWords>
class Ports {
 public:
  constexpr Ports() = default;
  /// The ports 0 .. count - 1.
  static constexpr Ports first(unsigned count) {
    Ports mask;
    for (unsigned w = 0; w < kWords; ++w)
      mask.word_[w] = count >= 64 * (w + 1) ? ~std::uint64_t{0} : count <= 64 * w ? 0 : (std::uint64_t{1} << (count - 64 * w)) - 1;
    return mask;
  }

  constexpr void set(unsigned port) { word_[port >> 6] |= bit(port); }
  constexpr void clear(unsigned port) { word_[port >> 6] &= ~bit(port); }
  constexpr bool test(unsigned port) const { return (word_[port >> 6] & bit(port)) != 0; }
  /// Ports 64 * index .. 64 * index + 63, lowest bit first.
  constexpr std::uint64_t word(unsigned index) const { return word_[index]; }
  constexpr bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : word_) all |= word;
    return all != 0;
  }
  constexpr bool none() const { return !any(); }
  constexpr bool intersects(const Ports& o) const { return (*this & o).any(); }
  unsigned count() const {
    int count = 0;
    for (const std::uint64_t word : word_) count += __builtin_popcountll(word);
    return static_cast<unsigned>(count);
  }
  /// Converts to a smaller set, dropping the ports beyond it, or to a larger one.
  template <class Other>
  constexpr Other as() const {
    Other mask;
    for (unsigned w = 0; w < kWords && w < sizeof(Other) / sizeof(word_[0]); ++w) mask.word_[w] = word_[w];
    return mask;
  }

  constexpr Ports& operator|=(const Ports& o) {
    for (unsigned w = 0; w < kWords; ++w) word_[w] |= o.word_[w];
    return *this;
  }
  constexpr Ports& operator&=(const Ports& o) {
    for (unsigned w = 0; w < kWords; ++w) word_[w] &= o.word_[w];
    return *this;
  }
  /// The ports of this set that are not in `o`.
  constexpr Ports without(const Ports& o) const {
    Ports mask;
    for (unsigned w = 0; w < kWords; ++w) mask.word_[w] = word_[w] & ~o.word_[w];
    return mask;
  }
  friend constexpr Ports operator&(Ports a, const Ports& b) { return a &= b; }
  friend constexpr Ports operator|(Ports a, const Ports& b) { return a |= b; }
  friend constexpr bool operator==(const Ports& a, const Ports& b) {
    std::uint64_t different = 0;
    for (unsigned w = 0; w < kWords; ++w) different |= a.word_[w] ^ b.word_[w];
    return different == 0;
  }

  /// set() or clear() if `condition` holds, without a branch, for unpredictable conditions.
  constexpr void set_if(bool condition, unsigned port) { word_[port >> 6] |= std::uint64_t{condition} << (port & 63); }
  constexpr void clear_if(bool condition, unsigned port) { word_[port >> 6] &= ~(std::uint64_t{condition} << (port & 63)); }

  /// The first port at or after `from`, wrapping around: one round-robin step. The set must not be empty, and `from` < kMaxPorts.
  unsigned next_from(unsigned from) const {
    static_assert(kWords == 2);
    // Uses masks instead of branches: the pointers are unpredictable, and a mispredicted branch costs more than the rest.
    const std::uint64_t in_first = all_ones_if(from < 64), after = ~std::uint64_t{0} << (from & 63);
    const std::uint64_t tail[2] = {word_[0] & after & in_first, word_[1] & (after | in_first)};
    const std::uint64_t around = all_ones_if((tail[0] | tail[1]) == 0);
    const std::uint64_t word[2] = {tail[0] | (word_[0] & around), tail[1] | (word_[1] & around)};
    const std::uint64_t second = all_ones_if(word[0] == 0);
    return static_cast<unsigned>(second & 64) + lowest_bit(word[0] | (word[1] & second));
  }

  /// Calls `visit(port)` in ascending order. `visit` may clear the port it receives from this set, and must make no other change.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (unsigned w = 0; w < kWords; ++w)
      for (const unsigned port : set_bits(word_[w])) visit(w * 64 + port);
  }

 private:
  static constexpr std::uint64_t bit(unsigned port) { return std::uint64_t{1} << (port & 63); }
  static constexpr std::uint64_t all_ones_if(bool condition) { return -std::uint64_t{condition}; }

  template <unsigned>
  friend class Ports;

  std::uint64_t word_[kWords] = {};
};

using PortMask = Ports<kMaxPorts / 64>;
using PlaceMask = Ports<kMaxPlaces / 64>;

}  // namespace wharf::arbitration

#pragma once
// The only source of randomness (house rule 13). The same seed and stream give the same numbers on every machine, because nothing here
// depends on the standard library's distributions, whose results differ between implementations. Generator: xoshiro256** of Blackman and
// Vigna, seeded through SplitMix64 as they recommend.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace wharf {

/// Expands one word into a sequence of well-mixed words.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t state) : state_(state) {}
  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

class Rng {
 public:
  using State = std::array<std::uint64_t, 4>;

  /// `stream` separates the users of one configured seed (an SM, a predictor), so that adding a user does not shift the numbers of the
  /// others.
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0) : state_{} {
    SplitMix64 mix(seed ^ SplitMix64(stream).next());
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = mix.next();
  }
  /// From raw state, for tests against published vectors. At least one word must be nonzero.
  explicit constexpr Rng(const State& state) : state_(state) {}

  /// 64 uniform bits.
  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound); 0 for a bound of 0 or 1. Redraws the words that would bias the remainder.
  constexpr std::uint64_t below(std::uint64_t bound) {
    if (bound <= 1) return 0;
    const std::uint64_t uneven = (0 - bound) % bound;  // 2^64 mod bound
    std::uint64_t word = next();
    while (word < uneven) word = next();
    return word % bound;
  }

  /// Uniform in [low, high], both ends included; low <= high.
  constexpr std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t count = high - low + 1;
    return count == 0 ? next() : low + below(count);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// True with the given probability; never for 0, always for 1.
  constexpr bool chance(double probability) { return unit() < probability; }

  /// Shuffles with every order equally likely (Fisher-Yates from the back).
  template <class Iterator>
  void shuffle(Iterator first, Iterator last) {
    for (auto count = static_cast<std::uint64_t>(last - first); count > 1; --count) {
      const auto other = static_cast<std::ptrdiff_t>(below(count));
      std::swap(first[static_cast<std::ptrdiff_t>(count) - 1], first[other]);
    }
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }
  State state_;
};

}  // namespace wharf

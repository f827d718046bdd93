#pragma once
// The set of caches that hold a line.

#include <array>
#include <cstdint>

namespace wharf {

/// A set of cache numbers, 0 to kMaxHolders - 1.
class HolderMask {
 public:
  static constexpr unsigned kMaxHolders = 256;

  bool test(unsigned holder) const { return (words_[holder / 64] >> holder % 64 & 1) != 0; }
  void set(unsigned holder) { words_[holder / 64] |= std::uint64_t{1} << holder % 64; }
  void reset(unsigned holder) { words_[holder / 64] &= ~(std::uint64_t{1} << holder % 64); }
  /// Keeps only the `count` caches from `first` on.
  void restrict_to(unsigned first, unsigned count) {
    for (unsigned w = 0; w < words_.size(); ++w) {
      const unsigned low = first > 64 * w ? first - 64 * w : 0, high = first + count > 64 * w ? first + count - 64 * w : 0;
      words_[w] &= below(high) & ~below(low);
    }
  }
  /// Renumbers the set: cache `first` becomes 0, and the caches before it are dropped.
  HolderMask from(unsigned first) const {
    if (first == 0) return *this;
    HolderMask shifted;
    for (unsigned w = first / 64; w < words_.size(); ++w) {
      const unsigned to = w - first / 64, bits = first % 64;
      shifted.words_[to] |= words_[w] >> bits;
      if (bits != 0 && to != 0) shifted.words_[to - 1] |= words_[w] << (64 - bits);
    }
    return shifted;
  }
  bool none() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  unsigned count() const {
    unsigned holders = 0;
    for (const std::uint64_t word : words_) holders += static_cast<unsigned>(__builtin_popcountll(word));
    return holders;
  }
  /// Word w holds caches 64 w to 64 w + 63.
  std::uint64_t& word(unsigned w) { return words_[w]; }
  std::uint64_t word(unsigned w) const { return words_[w]; }
  friend bool operator==(const HolderMask& a, const HolderMask& b) { return a.words_ == b.words_; }

 private:
  static std::uint64_t below(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

  std::array<std::uint64_t, kMaxHolders / 64> words_ = {};
};

}  // namespace wharf

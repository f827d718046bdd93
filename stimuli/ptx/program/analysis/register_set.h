#pragma once
// A set of virtual registers.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wharf::ptx {

class RegisterSet {
 public:
  explicit RegisterSet(std::size_t size = 0) : words_((size + 63) / 64) {}
  bool has(std::uint32_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void insert(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::uint32_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  /// Adds the members of `other`; returns true where that adds any.
  bool add(const RegisterSet& other) {
    std::uint64_t fresh = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      fresh |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return fresh != 0;
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        visit(static_cast<std::uint32_t>(i * 64 + static_cast<unsigned>(__builtin_ctzll(rest))));
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace wharf::ptx

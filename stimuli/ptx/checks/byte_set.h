#pragma once
// A sparse set of byte addresses: which bytes have been written.

#include <algorithm>
#include <bitset>
#include <unordered_map>

#include "model/base/types.h"

namespace wharf::ptx {

class ByteSet {
 public:
  void add(Address begin, std::uint64_t bytes) {
    for_each_part(begin, bytes, [this](Address page, std::size_t from, std::size_t to) {
      Page& bits = pages_[page];
      for (std::size_t i = from; i < to; ++i) bits.set(i);
      return true;
    });
  }
  bool has_all(Address begin, std::uint64_t bytes) const {
    return for_each_part(begin, bytes, [this](Address page, std::size_t from, std::size_t to) {
      const auto found = pages_.find(page);
      if (found == pages_.end()) return false;
      for (std::size_t i = from; i < to; ++i)
        if (!found->second.test(i)) return false;
      return true;
    });
  }

 private:
  static constexpr std::size_t kPage = 4096;
  using Page = std::bitset<kPage>;

  template <class F>
  static bool for_each_part(Address begin, std::uint64_t bytes, F part) {
    while (bytes != 0) {
      const std::size_t from = begin % kPage;
      const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kPage - from));
      if (!part(begin / kPage, from, from + count)) return false;
      begin += count;
      bytes -= count;
    }
    return true;
  }

  std::unordered_map<Address, Page> pages_;
};

}  // namespace wharf::ptx

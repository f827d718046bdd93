#pragma once
// Home = the low bits of the tag (shared_l1 section 2, SL-2 to SL-4). The tag starts above the set index of one L1, so a larger L1 moves
// the home bits up, and every home uses all its sets.

#include "policies/home_map/home_map.h"

namespace wharf {

class TagLowBits final : public HomeMap {
 public:
  explicit TagLowBits(const HomeMapOptions& options);
  Home locate(LineAddress line) const override;

  /// Number of low tag bits that select the home: ceil(log2(homes)).
  unsigned bits() const { return bits_; }

 private:
  std::uint64_t sets_;
  std::uint32_t homes_;
  unsigned bits_;
  HomeFold fold_;
};

}  // namespace wharf

#pragma once
// Replaces the line with the fewest uses since its fill; among equal lines, the one that was filled first. Counts saturate.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "policies/replacement/replacement.h"

namespace example {

class Lfu final : public wharf::AddedReplacement {
 public:
  /// `bits` per count, 1..8.
  Lfu(std::uint32_t sets, std::uint32_t ways, int bits) : ways_(ways), most_((1u << bits) - 1), lines_(std::size_t{sets} * ways) {}

  void touch(std::uint32_t set, std::uint32_t way, const wharf::Access&) override {
    std::uint32_t& uses = of(set)[way].uses;
    uses = std::min(uses + 1, most_);
  }
  void fill(std::uint32_t set, std::uint32_t way, const wharf::Access&) override { of(set)[way] = {1, ++fills_}; }

  int victim(std::uint32_t set, const wharf::EligibleWays& eligible, const wharf::Access&) const override {
    const Line* const lines = lines_.data() + std::size_t{set} * ways_;
    int victim = wharf::Replacement::kNone;
    for (std::uint32_t way = 0; way < ways_; ++way)
      if (eligible(way) && (victim < 0 || lines[way] < lines[victim])) victim = static_cast<int>(way);
    return victim;
  }

 private:
  struct Line {
    std::uint32_t uses = 0;
    std::uint64_t filled = 0;
    bool operator<(const Line& other) const { return uses != other.uses ? uses < other.uses : filled < other.filled; }
  };
  Line* of(std::uint32_t set) { return lines_.data() + std::size_t{set} * ways_; }

  std::uint32_t ways_, most_;
  std::vector<Line> lines_;  // [set][way]
  std::uint64_t fills_ = 0;
};

inline std::unique_ptr<wharf::AddedReplacement> make_lfu(const wharf::ReplacementOptions& options) {
  return std::make_unique<Lfu>(options.sets, options.ways, options.arguments("bits"));
}

inline constexpr wharf::ReplacementEntry kLfu = {"lfu", "least frequently used", make_lfu};
inline std::vector<wharf::Argument> lfu_arguments() { return {{"bits", "2", 1, 8, "width of a count"}}; }

}  // namespace example

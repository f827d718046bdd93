#pragma once
// Replacement by static re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010): a line is expected back soon after
// a hit, and late when it comes in; the line that is expected last goes.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "policies/replacement/replacement.h"

namespace example {

class Srrip final : public wharf::AddedReplacement {
 public:
  /// `bits` of a prediction, 1..8.
  Srrip(std::uint32_t sets, std::uint32_t ways, int bits)
      : ways_(ways), last_((1 << bits) - 1), predictions_(std::size_t{sets} * ways, last_) {}

  void touch(std::uint32_t set, std::uint32_t way) override { of(set)[way] = 0; }

  /// All lines age until the victim is expected last. A question for a victim may be asked again, so they do when the victim is gone.
  void fill(std::uint32_t set, std::uint32_t way) override {
    int* const predictions = of(set);
    const int age = last_ - predictions[way];
    for (std::uint32_t w = 0; w < ways_; ++w) predictions[w] = std::min(last_, predictions[w] + age);
    predictions[way] = last_ - 1;
  }

  int victim(std::uint32_t set, const wharf::EligibleWays& eligible) const override {
    const int* const predictions = predictions_.data() + std::size_t{set} * ways_;
    int victim = wharf::Replacement::kNone;
    for (std::uint32_t way = 0; way < ways_; ++way)
      if (eligible(way) && (victim < 0 || predictions[way] > predictions[victim])) victim = static_cast<int>(way);
    return victim;
  }

 private:
  int* of(std::uint32_t set) { return predictions_.data() + std::size_t{set} * ways_; }

  std::uint32_t ways_;
  int last_;                      // the prediction of a line that goes next
  std::vector<int> predictions_;  // [set][way]
};

inline std::unique_ptr<wharf::AddedReplacement> make_srrip(const wharf::ReplacementOptions& options) {
  return std::make_unique<Srrip>(options.sets, options.ways, options.arguments("bits"));
}

inline constexpr wharf::ReplacementEntry kSrrip = {"srrip", "static re-reference interval prediction", make_srrip};
inline std::vector<wharf::Argument> srrip_arguments() { return {{"bits", "2", 1, 8, "width of a prediction"}}; }

}  // namespace example

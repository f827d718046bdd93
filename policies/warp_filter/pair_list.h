#pragma once
// Records for which victim each warp was isolated or stalled (the pair list of ciao section 4.5), and in which order, so that actions are
// undone in reverse.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "policies/warp_scheduler/age_order.h"

namespace wharf {

class PairList {
 public:
  enum Field : std::uint8_t { kIsolation, kStall };
  static constexpr std::uint8_t kNone = 0xFF;  // not acted upon
  static constexpr std::uint8_t kDone = 0xFE;  // the victim has finished
  struct Action {
    std::uint8_t warp;
    Field field;
  };

  PairList() {
    for (auto& pair : pairs_) pair = {kNone, kNone};
  }

  /// The victim's slot, kNone or kDone.
  std::uint8_t victim(unsigned warp, Field field) const { return pairs_[warp][field]; }
  /// The actions not yet undone, oldest first.
  const std::vector<Action>& actions() const { return actions_; }

  void act(unsigned warp, Field field, unsigned victim) {
    pairs_[warp][field] = static_cast<std::uint8_t>(victim);
    actions_.push_back({static_cast<std::uint8_t>(warp), field});
  }
  void undo(unsigned warp, Field field) {
    pairs_[warp][field] = kNone;
    remove([=](const Action& a) { return a.warp == warp && a.field == field; });
  }
  /// The warp has finished: removes the actions on it, and marks it as a finished victim.
  void finished(unsigned warp) {
    pairs_[warp] = {kNone, kNone};
    remove([=](const Action& a) { return a.warp == warp; });
    for (auto& pair : pairs_)
      for (std::uint8_t& victim : pair)
        if (victim == warp) victim = kDone;
  }
  template <class File>
  void archive(File& file) {
    file(pairs_, actions_);
  }

 private:
  template <class Which>
  void remove(Which which) {
    actions_.erase(std::remove_if(actions_.begin(), actions_.end(), which), actions_.end());
  }

  std::array<std::array<std::uint8_t, 2>, kMaxWarps> pairs_;
  std::vector<Action> actions_;
};

}  // namespace wharf

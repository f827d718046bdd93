#pragma once
// LoSCache's line policy (loscache section 6): it counts the accesses to a line's data, which are no longer needed after the access whose
// predicted count equals the line's count. Data with a predicted count of one are not stored. A prediction of 0 means none. With
// GateCompare::pre, the comparison precedes the count, and the last access is not counted (LoSCache paper, section IV.B).

#include <algorithm>

#include "policies/l2_line/l2_line.h"

namespace wharf {

class LosCache final : public L2LinePolicy {
 public:
  static constexpr std::uint32_t kMostCounted = 63;  // loscache section 4.2: 6 bits, saturating

  explicit LosCache(GateCompare compare) : compare_(compare) {}

  bool on_access(std::uint32_t& bits, const Access& access) override {
    const std::uint32_t before = bits & kMostCounted, after = std::min(before + 1, kMostCounted), predicted = access.hint.predicted_count;
    const bool post = compare_ == GateCompare::post;
    const bool last = predicted != 0 && (post ? after : before) >= predicted;
    bits = (last && !post ? before : after) | (last ? kLast : 0);
    return last;
  }
  /// While data are on their way, the latest access decides.
  bool on_fill(std::uint32_t& bits, const Access&) override { return (bits & kLast) != 0; }
  void on_evict(std::uint32_t, LineAddress) override {}
  bool may_store(const Access& access) const override { return access.hint.predicted_count != 1; }
  bool gates() const override { return true; }
  std::uint16_t count(std::uint32_t bits) const override { return bits & kMostCounted; }

 private:
  static constexpr std::uint32_t kLast = kMostCounted + 1;

  GateCompare compare_;
};

}  // namespace wharf

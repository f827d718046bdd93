#pragma once
// The named barriers of a CTA: who has arrived at each, and when it opens. The SM, the functional run and the PTX executor use it.

#include <array>
#include <cstdint>

#include "model/base/warp_instruction.h"

namespace wharf {

class CtaBarriers {
 public:
  static constexpr unsigned kCount = 16;
  using Warps = std::uint64_t;  // a mask; the owner numbers the warps

  void reset() { *this = CtaBarriers(); }

  /// Records that `warp` arrives. open() then tells whether the barrier opens.
  void arrive(unsigned warp, const BarrierUse& use) {
    Barrier& barrier = barriers_[use.number];
    in_use_ |= 1u << use.number;
    (use.arrives_only ? barrier.passed : barrier.waiting) |= Warps{1} << warp;
    barrier.expected = use.warps;
    ++barrier.arrivals;
  }

  /// Opens and resets barrier `number` if all expected warps have arrived. `members`: the warps of the CTA; `ended`: those of them that
  /// have exited, for which a barrier of all warps does not wait. Returns the warps that waited and now continue; none if it stays closed.
  Warps open(unsigned number, Warps members, Warps ended) {
    Barrier& barrier = barriers_[number];
    const bool is_open =
        barrier.expected != 0 ? barrier.arrivals >= barrier.expected : (barrier.waiting | barrier.passed | ended) == members;
    if (barrier.arrivals == 0 || !is_open) return 0;
    const Warps released = barrier.waiting;
    barrier = Barrier();
    in_use_ &= static_cast<std::uint16_t>(~(1u << number));
    return released;
  }

  /// Bit n: a warp has arrived at barrier n, which has not opened.
  std::uint16_t in_use() const { return in_use_; }
  Warps waiting(unsigned number) const { return barriers_[number].waiting; }
  std::uint32_t arrivals(unsigned number) const { return barriers_[number].arrivals; }
  /// BarrierUse::warps of the last arrival.
  std::uint8_t expected(unsigned number) const { return barriers_[number].expected; }

 private:
  struct Barrier {
    Warps waiting = 0, passed = 0;  // warps that wait; warps that have arrived and continued
    std::uint32_t arrivals = 0;     // of both kinds; a warp may arrive again before the barrier opens
    std::uint8_t expected = 0;
  };
  std::array<Barrier, kCount> barriers_{};
  std::uint16_t in_use_ = 0;
};

}  // namespace wharf

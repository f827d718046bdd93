#pragma once
// The barriers of a CTA as its warps have issued them: reductions, and uses that can never end (CU-47).

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/barriers/cta_barriers.h"

namespace wharf::ptx {

/// Contributions of the threads to one use of a barrier with a reduction.
struct BarrierVotes {
  std::uint32_t count = 0;
  bool all = true, any = false;
};

class BarrierState {
 public:
  /// `warps`: of the CTA.
  explicit BarrierState(unsigned warps) : members_(~CtaBarriers::Warps{0} >> (64 - warps)) {}

  /// The votes of the present use of barrier `number`. A warp keeps them until it reads the result, because others may use the barrier
  /// again before.
  const std::shared_ptr<BarrierVotes>& votes(unsigned number) {
    if (votes_[number] == nullptr) votes_[number] = std::make_shared<BarrierVotes>();
    return votes_[number];
  }
  /// True where warps have arrived at the barrier that expect another number of warps.
  bool contradicts(const BarrierUse& use) const {
    return (barriers_.in_use() >> use.number & 1) != 0 && barriers_.expected(use.number) != use.warps;
  }
  /// As BarrierUse::warps, of those that have arrived.
  unsigned expected(unsigned number) const { return barriers_.expected(number); }
  /// A warp issues the barrier at `pc`.
  void arrive(unsigned warp, const BarrierUse& use, std::uint32_t pc);
  void end_warp(unsigned warp);
  /// True where all warps have ended.
  bool ended() const { return ended_ == members_; }
  unsigned live_warps() const;

  /// A barrier that never opens.
  struct Stuck {
    unsigned number, warp;  // and one of the warps that wait there
    std::uint32_t pc;       // of the last arrival
    std::uint32_t arrivals, expected;
  };
  /// The barriers at which warps wait, where all warps that have not ended wait; empty where one can go on.
  std::vector<Stuck> stuck() const;

 private:
  void open(unsigned number);

  CtaBarriers::Warps members_, ended_ = 0, waiting_ = 0;
  CtaBarriers barriers_;
  std::array<std::uint32_t, CtaBarriers::kCount> pcs_{};
  std::array<std::shared_ptr<BarrierVotes>, CtaBarriers::kCount> votes_;
};

}  // namespace wharf::ptx

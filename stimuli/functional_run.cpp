#include "stimuli/functional_run.h"

#include <algorithm>
#include <vector>

#include "model/base/bits.h"
#include "model/base/cta_barriers.h"
#include "model/base/error.h"

namespace wharf {
namespace {

/// CTAs that run at a time: a CTA may wait for results of those before it.
constexpr std::size_t kResidentCtas = 64;
/// Instructions of a warp before it is another warp's turn. Warps of a CTA advance together, as on a GPU: programs exist whose warps all write
/// the same sums from the same old values, which is right only where no warp runs far ahead.
constexpr std::uint64_t kTurn = 1;
/// Rounds of a CTA before it is another CTA's turn.
constexpr std::uint64_t kRounds = 4096;

class ResidentCta {
 public:
  explicit ResidentCta(std::vector<std::unique_ptr<WarpStream>> warps) : warps_(std::move(warps)) {
    if (warps_.size() > kMostWarps)
      throw SimulationError("a CTA has " + std::to_string(warps_.size()) + " warps, and at most 64 can run; use smaller CTAs");
    if (!warps_.empty()) members_ = ~Warps{0} >> (kMostWarps - warps_.size());
  }
  /// Gives each warp its turn; returns false where all warps have ended.
  bool run(std::uint64_t& instructions) {
    released_ = 0;
    const Warps runnable = members_ & ~ended_ & ~waiting_;
    for (const unsigned w : set_bits(runnable)) take_turn(w, instructions);
    if (released_ == 0 && ended_ != members_ && (waiting_ | ended_) == members_)
      throw SimulationError("deadlock: all unfinished warps of a CTA wait at barriers that other warps cannot reach");
    waiting_ &= ~released_;
    return ended_ != members_;
  }

 private:
  using Warps = CtaBarriers::Warps;
  static constexpr std::size_t kMostWarps = 64;

  void take_turn(unsigned w, std::uint64_t& instructions) {
    WarpStream& stream = *warps_[w];
    for (std::uint64_t turn = 0; turn < kTurn; ++turn) {
      const WarpInstruction* next = stream.peek();
      if (next == nullptr) {
        warps_[w].reset();
        ended_ |= Warps{1} << w;
        for (const unsigned number : set_bits(barriers_.in_use())) open(number);
        return;
      }
      instructions += next->repeat;
      const bool is_barrier = next->unit == Unit::barrier;
      const BarrierUse use = next->barrier;
      stream.advance();
      if (!is_barrier) continue;
      barriers_.arrive(w, use);
      if (!use.arrives_only) waiting_ |= Warps{1} << w;
      open(use.number);
      if (!use.arrives_only) return;
    }
  }

  /// Released warps go on in the next round, so that the order does not depend on which warp arrives last.
  void open(unsigned number) { released_ |= barriers_.open(number, members_, ended_); }

  std::vector<std::unique_ptr<WarpStream>> warps_;  // null when one has ended
  CtaBarriers barriers_;
  Warps members_ = 0, ended_ = 0, waiting_ = 0;
  Warps released_ = 0;  // in this round
};

}  // namespace

bool run_kernel_functionally(const KernelLaunch& launch, const OpenCta& open_cta, std::uint64_t& instructions,
                             const std::function<bool()>& go_on) {
  const std::uint64_t ctas = launch.grid.count();
  std::vector<ResidentCta> resident;
  for (std::uint64_t next = 0; next < ctas || !resident.empty();) {
    while (next < ctas && resident.size() < kResidentCtas) resident.emplace_back(open_cta(next++));
    const auto ends = [&](ResidentCta& cta) {
      for (std::uint64_t round = 0; round < kRounds; ++round)
        if (!cta.run(instructions)) return true;
      return false;
    };
    resident.erase(std::remove_if(resident.begin(), resident.end(), ends), resident.end());
    if (!go_on()) return false;
  }
  return true;
}

FunctionalRun run_functionally(Stimulus& stimulus, const std::function<bool(const FunctionalRun&)>& go_on) {
  FunctionalRun run;
  const OpenCta open_cta = [&](std::uint64_t cta) { return stimulus.open_cta(cta); };
  while (const KernelLaunch* launch = run.stopped ? nullptr : stimulus.next_kernel()) {
    ++run.kernels;
    run.stopped = !run_kernel_functionally(*launch, open_cta, run.warp_instructions, [&] { return go_on(run); });
  }
  return run;
}

}  // namespace wharf

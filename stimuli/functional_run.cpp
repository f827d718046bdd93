#include "stimuli/functional_run.h"

#include <algorithm>
#include <vector>

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
  explicit ResidentCta(std::vector<std::unique_ptr<WarpStream>> warps) {
    for (std::unique_ptr<WarpStream>& warp : warps) warps_.push_back({std::move(warp), false});
  }
  /// Gives each warp its turn; returns false where all warps have ended.
  bool run(std::uint64_t& instructions) {
    for (Warp& warp : warps_)
      if (warp.stream != nullptr && !warp.waits) take_turn(warp, instructions);
    warps_.erase(std::remove_if(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.stream == nullptr; }), warps_.end());
    if (std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.waits; }))
      for (Warp& warp : warps_) warp.waits = false;
    return !warps_.empty();
  }

 private:
  struct Warp {
    std::unique_ptr<WarpStream> stream;  // null when it has ended
    bool waits;                          // at the CTA's barrier
  };

  static void take_turn(Warp& warp, std::uint64_t& instructions) {
    for (std::uint64_t turn = 0; turn < kTurn; ++turn) {
      const WarpInstruction* next = warp.stream->peek();
      if (next == nullptr) {
        warp.stream.reset();
        return;
      }
      instructions += next->repeat;
      warp.waits = next->unit == Unit::barrier;
      warp.stream->advance();
      if (warp.waits) return;
    }
  }

  std::vector<Warp> warps_;
};

}  // namespace

FunctionalRun run_functionally(Stimulus& stimulus, const std::function<bool(const FunctionalRun&)>& go_on) {
  FunctionalRun run;
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    ++run.kernels;
    const std::uint64_t ctas = launch->grid.count();
    std::vector<ResidentCta> resident;
    for (std::uint64_t next = 0; next < ctas || !resident.empty();) {
      while (next < ctas && resident.size() < kResidentCtas) resident.emplace_back(stimulus.open_cta(next++));
      const auto ends = [&](ResidentCta& cta) {
        for (std::uint64_t round = 0; round < kRounds; ++round)
          if (!cta.run(run.warp_instructions)) return true;
        return false;
      };
      resident.erase(std::remove_if(resident.begin(), resident.end(), ends), resident.end());
      if (!go_on(run)) {
        run.stopped = true;
        return run;
      }
    }
  }
  return run;
}

}  // namespace wharf

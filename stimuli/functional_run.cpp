#include "stimuli/functional_run.h"

#include <algorithm>
#include <vector>

namespace wharf {
namespace {

/// CTAs that run at a time: a CTA may wait for results of those before it.
constexpr std::size_t kResidentCtas = 64;
/// Instructions of a warp before it is another warp's turn.
constexpr std::uint64_t kTurn = 4096;

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

bool run_kernel_functionally(const KernelLaunch& launch, const OpenCta& open_cta, std::uint64_t& instructions, const std::function<bool()>& go_on) {
  const std::uint64_t ctas = launch.grid.count();
  std::vector<ResidentCta> resident;
  for (std::uint64_t next = 0; next < ctas || !resident.empty();) {
    while (next < ctas && resident.size() < kResidentCtas) resident.emplace_back(open_cta(next++));
    resident.erase(std::remove_if(resident.begin(), resident.end(), [&](ResidentCta& cta) { return !cta.run(instructions); }), resident.end());
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

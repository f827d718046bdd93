#include "stimuli/sampling/sampled_stimulus.h"

#include "model/base/error.h"
#include "stimuli/functional_run.h"

namespace wharf {
namespace {

bool is_same(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

const KernelLaunch* SampledStimulus::next_kernel() {
  while (!stopped_) {
    const KernelLaunch* launch = inner_.next_kernel();
    require_planned(launch);
    if (launch == nullptr || plan_.is_detailed(next_++)) return launch;
    stopped_ = !run_skipped(*launch);
  }
  return nullptr;
}

/// Returns false where go_on_() has.
bool SampledStimulus::run_skipped(const KernelLaunch& launch) {
  const OpenCta open_cta = [this](std::uint64_t cta) { return inner_.open_cta(cta); };
  if (caches_ == nullptr) return run_kernel_functionally(launch, open_cta, skipped_instructions_, go_on_);
  caches_->launch_starts(launch);
  const bool ended = run_kernel_functionally(launch, open_cta, skipped_instructions_, go_on_,
                                             [this](const WarpInstruction& instruction) { caches_->access(instruction); });
  caches_->launch_ends();
  return ended;
}

void SampledStimulus::require_planned(const KernelLaunch* launch) const {
  const auto& planned = plan_.launches();
  const bool ends = next_ == planned.size();
  if (launch == nullptr ? ends
                        : !ends && launch->name == planned[next_].kernel && is_same(launch->grid, planned[next_].grid) &&
                              is_same(launch->block, planned[next_].block))
    return;
  throw InputError("launch " + std::to_string(next_ + 1) + " is " + (launch == nullptr ? "missing" : "'" + launch->name + "'") +
                   " in this run, but " + (ends ? "missing" : "'" + planned[next_].kernel + "'") +
                   " or of another size in a functional run, so the launches of this program depend on timing; run it without --sample");
}

}  // namespace wharf

#include "stimuli/sampling/sampled_stimulus.h"

#include "model/base/cluster_order.h"
#include "model/base/error.h"

namespace wharf {
namespace {

/// Of a skipped CTA before it is another's turn: few enough that CTAs advance together, and enough that they stay in the host's caches (one
/// round takes twice the time).
constexpr std::uint64_t kRounds = 32;
/// Skipped CTAs that execute so many times the size of their whole launch do not end; more where the size is an expected one.
constexpr std::uint64_t kMostOverSize = 2, kMostOverExpected = 64;

}  // namespace

const KernelLaunch* SampledStimulus::next_kernel() {
  while (!stopped_) {
    if (holds_ == Holds::detailed_launches)
      while (next_ < plan_.launches().size() && !plan_.is_detailed(next_)) ++next_;
    const KernelLaunch* launch = inner_.next_kernel();
    require_planned(launch);
    if (launch == nullptr) return nullptr;
    const std::size_t number = next_++;
    if (!plan_.is_detailed(number)) {
      stopped_ = !run_skipped(*launch);
      continue;
    }
    spans_ = plan_.spans(number);
    if (spans_ == nullptr) return launch;
    span_ = cta_ = opened_ = 0;
    whole_ = launch;
    part_ = *launch;
    part_.grid = {static_cast<std::uint32_t>(spans_->detailed_ctas()), 1, 1};
    part_.cluster = {static_cast<std::uint32_t>(launch->ctas_per_cluster()), 1, 1};
    return &part_;
  }
  return nullptr;
}

std::vector<std::unique_ptr<WarpStream>> SampledStimulus::open_cta(std::uint64_t cta) {
  if (spans_ == nullptr) return inner_.open_cta(cta);
  if (cta != opened_++)
    throw InputError("launch " + std::to_string(next_) + " '" + whole_->name +
                     "': front_end.cta_scheduler does not start its CTAs in order, so none can be skipped; run it without --sample");
  if (stopped_) return {};
  return inner_.open_cta(ClusterOrder{whole_->grid, whole_->cluster}.cta(cta_++));
}

void SampledStimulus::skip_to_next_span() {
  const CtaSpan& next = spans_->detailed()[++span_];
  if (cta_ != next.first && !stopped_) stopped_ = !run_skipped_ctas(cta_, next.first);
  cta_ = next.first;
}

OnMemory SampledStimulus::on_memory() const {
  if (caches_ == nullptr) return {};
  return [this](std::uint64_t cta, const WarpInstruction& instruction) { caches_->access(cta, instruction); };
}

/// Where the order of their accesses matters, CTAs take turns nearly as on the machine.
CtaTurns SampledStimulus::turns() const {
  const std::uint64_t at_a_time = plan_.launches()[next_ - 1].ctas_at_a_time;
  return caches_ == nullptr || at_a_time == 0 ? CtaTurns() : CtaTurns{at_a_time, kRounds, false};
}

/// Returns false where go_on_() has.
bool SampledStimulus::run_skipped(const KernelLaunch& launch) {
  const std::uint64_t before = skipped_instructions_;
  if (caches_ != nullptr) {
    caches_->begin();
    caches_->launch_starts(launch);
  }
  const OpenCta open_cta = [this](std::uint64_t cta) { return inner_.open_cta(cta); };
  const bool ended = run_kernel_functionally(launch, open_cta, skipped_instructions_, go_on_, on_memory(), turns());
  record(0, before);
  return ended;
}

bool SampledStimulus::run_skipped_ctas(std::uint64_t first, std::uint64_t end) {
  const std::uint64_t before = skipped_instructions_;
  const LaunchFacts& facts = plan_.launches()[next_ - 1];
  const std::uint64_t most = skipped_instructions_ + (facts.is_expected ? kMostOverExpected : kMostOverSize) * facts.size;
  const auto go_on = [&] {
    if (!go_on_()) return false;
    if (inner_.is_recorded() || skipped_instructions_ <= most) return true;
    throw InputError("launch " + std::to_string(next_) + " '" + whole_->name + "': CTAs " + std::to_string(first) + " to " +
                     std::to_string(end - 1) + " wait for earlier ones, so none can be skipped; run it without --sample");
  };
  if (caches_ != nullptr) caches_->begin();
  const OpenCta open_cta = [this](std::uint64_t cta) { return inner_.open_cta(cta); };
  const bool ended = run_ctas_functionally(*whole_, first, end, open_cta, skipped_instructions_, go_on, on_memory(), turns());
  record(span_, before);
  return ended;
}

/// `before`: skipped_instructions_ at the beginning of the work.
void SampledStimulus::record(std::size_t before_span, std::uint64_t before) {
  skipped_[next_ - 1].push_back({before_span, skipped_instructions_ - before, caches_ != nullptr ? caches_->end() : L2Traffic()});
}

void SampledStimulus::require_planned(const KernelLaunch* launch) const {
  const auto& planned = plan_.launches();
  const bool ends = next_ == planned.size();
  if (launch == nullptr
          ? ends
          : !ends && launch->name == planned[next_].kernel && launch->grid == planned[next_].grid && launch->block == planned[next_].block)
    return;
  throw InputError("launch " + std::to_string(next_ + 1) + " is " + (launch == nullptr ? "missing" : "'" + launch->name + "'") +
                   " in this run, but " + (ends ? "missing" : "'" + planned[next_].kernel + "'") +
                   " or of another size in a functional run, so the launches of this program depend on timing; run it without --sample");
}

}  // namespace wharf

// The SM's side of its warp filter (ciao sections 3 to 5).

#include "model/sm/sm_logic.h"

namespace wharf {

FilterCounters::FilterCounters(stats::Group& g)
    : active_cycles(g, "filter.active_cycles", "unfinished warps that may issue, including loads, summed over cycles", stats::Unit::cycles),
      isolated_cycles(g, "filter.isolated_cycles", "active warps whose loads go to the shared-memory cache, summed over cycles",
                      stats::Unit::cycles),
      stalled_cycles(g, "filter.stalled_cycles", "the other unfinished warps, summed over cycles", stats::Unit::cycles),
      isolations(g, "filter.isolations", "warps isolated: their loads go to the shared-memory cache", stats::Unit::count),
      stalls(g, "filter.stalls", "warps stalled because they interfered with others", stats::Unit::count),
      undos(g, "filter.undos", "isolations and stalls undone before the warp had finished", stats::Unit::count),
      forced_reactivations(g, "filter.forced_reactivations", "stalls undone because no warp could have issued (CIAO-O17)",
                           stats::Unit::count) {}

void SmLogic::build_filter(unsigned number, stats::Group& group) {
  const WarpFilterNeeds needs = filter_->needs();
  filter_restricts_ = filter_->restricts();
  filter_hears_issues_ = needs.issues;
  filter_hints_ = needs.hints;
  const InterferenceParams& params = params_.interference;
  if (needs.losses || params.passive)
    interference_ = std::make_unique<InterferenceUnit>(params.victim_sets != 0 ? params.victim_sets : needs.victim_sets, params.victim_ways,
                                                       number, group, needs.losses ? filter_.get() : nullptr);
  if (interference_ != nullptr && params.count_stores) interference_->count_stores();
  if (filter_restricts_ || interference_ != nullptr) filter_counters_ = std::make_unique<FilterCounters>(group);
}

void SmLogic::notify_filter(const WarpEvent& event) {
  if (filter_counters_ != nullptr) count_filter_cycles(now_);
  filter_->observe(event);
}

void SmLogic::advance_filter(Cycle now) {
  if (filter_counters_ != nullptr) count_filter_cycles(now);
  filter_->advance(now);
}

void SmLogic::measured(double l2, double dram, Cycle now) {
  // Other blocks read the counters in this cycle, before or after this call. The present cycle therefore counts with the new masks.
  count_filter_cycles(now);
  filter_->bandwidth(l2, dram);
}

void SmLogic::kernel_started(bool region, Cycle now) {
  if (interference_ != nullptr) interference_->advance(now);
  filter_->kernel_started(region);
}

/// Attaches the filter's masks at the time when the access leaves the load/store unit.
void SmLogic::hint(Access& access) const {
  const WarpMask bit = warp_bit(access.warp);
  const bool load = access.kind == AccessKind::load, global = access.space == Space::global;
  access.hint.isolated = global && (load || access.kind == AccessKind::store) && (filter_->masks().isolated & bit) != 0;
  access.hint.no_install = load && (filter_->masks().no_install & bit) != 0;
}

/// Counts the cycles since the last call, in which the masks have not changed.
void SmLogic::count_filter_cycles(Cycle now) {
  const Cycle cycles = now - filter_counted_to_;
  filter_counted_to_ = now;
  const auto in = [](WarpMask warps) { return static_cast<unsigned>(__builtin_popcountll(warps)); };
  const WarpMasks& masks = filter_->masks();
  const WarpMask active = unfinished_ & masks.may_issue & masks.may_issue_load;
  FilterCounters& c = *filter_counters_;
  c.active_cycles += cycles * in(active);
  c.isolated_cycles += cycles * in(active & masks.isolated);
  c.stalled_cycles += cycles * in(unfinished_ & ~active);
}

void SmLogic::catch_up(Cycle now) {
  count_warp_cycles(now);
  if (interference_ != nullptr) interference_->advance(now);
  if (cycle_stack_ != nullptr) cycle_stack_->catch_up(now);
  if (filter_counters_ == nullptr) return;
  count_filter_cycles(now);
  const WarpFilterActions& actions = filter_->actions();
  FilterCounters& c = *filter_counters_;
  const auto raise_to = [](stats::Counter& counter, std::uint64_t value) { counter += value - counter.value(); };
  raise_to(c.isolations, actions.isolations);
  raise_to(c.stalls, actions.stalls);
  raise_to(c.undos, actions.undos);
  raise_to(c.forced_reactivations, actions.forced);
}

}  // namespace wharf

#include "model/sm/cycle_stack.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "model/base/bits.h"

namespace wharf {

namespace {

constexpr CycleStack::Origin kMostOrigins = std::numeric_limits<CycleStack::Origin>::max();

void bring_to(stats::Counter& counter, std::uint64_t value) { counter += value - counter.value(); }

}  // namespace

CycleStack::Counters::Counters(stats::Group& g)
    : all(g, "slots.all", "issue slots, one a scheduler and core cycle, in millionths", stats::Unit::count),
      causes(kSlotCauses),
      of_stage(kStages),
      of_server(kServedBy) {
  const auto add = [&g](FixedArray<stats::Counter>& counters, const std::string& name, const std::string& help) {
    counters.emplace_back(g, name, help, stats::Unit::count);
  };
  for (const char* cause : kSlotCauseNames) add(causes, std::string("slots.") + cause, "of them, in millionths, by cause");
  for (const char* stage : kStageNames)
    add(of_stage, std::string("slots.load.in_") + stage, "of them those that waited for loads and atomics, by the stage that took the time");
  for (const char* server : kServedByNames)
    add(of_server, std::string("slots.load.by_") + server, "the same by who answered the load");
}

CycleStack::CycleStack(unsigned schedulers, unsigned warps, Cycle issue_interval, stats::Group& group)
    : interval_(issue_interval), schedulers_(schedulers), warps_(warps), counters_(group) {
  for (unsigned w = 0; w < warps; ++w) warps_[w].scheduler = static_cast<std::uint8_t>(w % schedulers);
  group.law("slots.all == sum of the slots of all causes and of those that waited for loads", [this] { return open_slots() == 0; });
}

std::uint64_t CycleStack::counted() const {
  const auto sum = [](const FixedArray<stats::Counter>& counters) {
    std::uint64_t total = 0;
    for (unsigned i = 0; i < counters.size(); ++i) total += counters[i].value();
    return total;
  };
  return sum(counters_.causes) + sum(counters_.of_stage);
}

/// Begins a new epoch of the scheduler, with the same live warps.
void CycleStack::roll(Scheduler& scheduler) {
  const std::uint64_t slots = empty_slots(scheduler), parts = (slots - scheduler.counted) * kSlot + scheduler.left;
  scheduler.counted = slots;
  if (scheduler.live != 0) {
    scheduler.shares += parts / scheduler.live_warps;
    scheduler.left = parts % scheduler.live_warps;
    return;
  }
  scheduler.left = 0;
  if (vacant_) pending_ += parts;
  else count(SlotCause::no_warp) += parts;
}

void CycleStack::roll_vacant() {
  for (Scheduler& scheduler : schedulers_)
    if (scheduler.live == 0) roll(scheduler);
}

/// Decides all slots before `now` and counts those of schedulers without warps.
void CycleStack::decide_vacant(Cycle now) {
  for (Scheduler& scheduler : schedulers_) scheduler.decided = std::max(scheduler.decided, now);
  roll_vacant();
}

void CycleStack::set_live(Scheduler& scheduler, WarpMask live) {
  roll(scheduler);
  scheduler.live = live;
  scheduler.live_warps = popcount(live);
}

void CycleStack::settle_pending(SlotCause cause) {
  count(cause) += pending_;
  pending_ = 0;
}

void CycleStack::kernel_started(Cycle now) {
  decide_vacant(now);
  settle_pending(SlotCause::no_kernel);
}

void CycleStack::kernel_ended(Cycle now) {
  decide_vacant(now);
  settle_pending(had_cta_ ? SlotCause::tail : SlotCause::idle_sm);
  had_cta_ = false;
}

void CycleStack::launched(WarpMask members, Cycle now) {
  decide_vacant(now);
  if (vacant_) settle_pending(had_cta_ ? SlotCause::no_warp : SlotCause::launch);
  had_cta_ = true;
  if (members == 0) return;
  vacant_ = false;
  for (unsigned s = 0; s < schedulers_.size(); ++s) {
    WarpMask mine = 0;
    for (const unsigned w : set_bits(members))
      if (warps_[w].scheduler == s) mine |= warp_bit(w);
    if (mine != 0) set_live(schedulers_[s], schedulers_[s].live | mine);
  }
}

void CycleStack::ended(unsigned w, bool last) {
  enter(w, State::absent, SlotCause::issued);
  Scheduler& scheduler = schedulers_[warps_[w].scheduler];
  set_live(scheduler, scheduler.live & ~warp_bit(w));
  if (!last) return;
  roll_vacant();
  vacant_ = true;
}

/// A wait goes on where the warp still waits.
void CycleStack::enter(unsigned w, State state, SlotCause held) {
  Warp& warp = warps_[w];
  const bool goes_on = warp.state == state && (state == State::waits || state == State::leaves || state == State::barrier);
  if (goes_on) return;
  const std::uint64_t now = clock(schedulers_[warp.scheduler]);
  if (warp.state != State::absent && now != warp.since) charge(warp, now - warp.since);
  ready_ = state == State::ready ? ready_ | warp_bit(w) : ready_ & ~warp_bit(w);
  warp.since = now;
  warp.state = state;
  warp.held = held;
  warp.arrived = kNever;
  warp.by_load = false;
}

void CycleStack::is_ready(unsigned w, SlotCause busy, bool is_load) {
  Warp& warp = warps_[w];
  if (warp.state == State::ready && warp.busy == busy && warp.is_load == is_load && warp.held == busy) return;
  enter(w, State::ready, busy);
  warp.busy = busy;
  warp.is_load = is_load;
  warp.held = held_by(w, warp);
}

SlotCause CycleStack::held_by(unsigned w, const Warp& warp) const {
  const WarpMask may = warp.is_load ? may_issue_ & may_load_ : may_issue_;
  if ((may & warp_bit(w)) == 0) return SlotCause::filter;
  return warp.is_load && loads_limited_ ? SlotCause::loads_limit : warp.busy;
}

void CycleStack::look_again_at_ready() {
  for (const unsigned w : set_bits(ready_)) {
    Warp& warp = warps_[w];
    const SlotCause held = held_by(w, warp);
    if (held == warp.held) continue;
    const std::uint64_t now = clock(schedulers_[warp.scheduler]);
    charge(warp, now - warp.since);
    warp.since = now;
    warp.held = held;
  }
}

void CycleStack::change_masks(const WarpMasks& masks) {
  may_issue_ = masks.may_issue;
  may_load_ = masks.may_issue_load;
  look_again_at_ready();
}

void CycleStack::limit_loads(bool limited) {
  loads_limited_ = limited;
  look_again_at_ready();
}

/// Of two that come in one cycle the order of the calls must not decide.
void CycleStack::arrived(unsigned w, Origin origin, Cycle now) {
  Warp& warp = warps_[w];
  if (warp.state != State::waits && warp.state != State::leaves) return;
  const bool tie = warp.arrived == now;
  if (origin < kSlotCauses) {
    const auto cause = static_cast<SlotCause>(origin);
    if (tie && (warp.by_load || warp.held > cause)) return;
    warp.held = cause;
    warp.by_load = false;
  } else {
    const Load& load = answered_[origin - kSlotCauses];
    if (tie && warp.by_load && load.before(warp.load)) return;
    warp.load = load;
    warp.by_load = true;
  }
  warp.arrived = now;
}

void CycleStack::charge(Warp& warp, std::uint64_t parts) {
  if (warp.by_load) charge_load(warp.load, parts);
  else count(warp.held) += parts;
}

/// In proportion to the stages; rounded so that the parts add up.
void CycleStack::charge_load(const Load& load, std::uint64_t parts) {
  const auto server = static_cast<unsigned>(load.server);
  counters_.of_server[server] += parts;
  const auto trip = std::accumulate(load.stages.begin(), load.stages.end(), std::uint64_t{0});
  std::uint64_t passed = 0, given = 0;
  for (unsigned stage = 0; stage < kStages; ++stage) {
    if (load.stages[stage] == 0) continue;
    passed += load.stages[stage];
    const auto upto = static_cast<std::uint64_t>(static_cast<unsigned __int128>(parts) * passed / trip);
    counters_.of_stage[stage] += upto - given;
    loads_[server][stage] += upto - given;
    given = upto;
  }
  if (trip != 0) return;
  counters_.of_stage[static_cast<unsigned>(Stage::lsu)] += parts;
  loads_[server][static_cast<unsigned>(Stage::lsu)] += parts;
}

void CycleStack::memory_issued(std::uint32_t slot, Cycle now) {
  if (slot >= under_way_.size()) under_way_.resize(slot + 1);
  under_way_[slot] = {};
  under_way_[slot].issue = now;
}

/// Of the accesses of an instruction the last one counts.
void CycleStack::answered(const Transaction& answer, Cycle at) {
  Load& load = under_way_[answer.access.slot];
  if (at < load.at) return;
  Load one{load.issue, at, answer.reply.served_by, {}};
  if (answer.stages.counted())
    for (unsigned stage = 0; stage < kStages; ++stage) one.stages[stage] = answer.stages[stage];
  one.stages[static_cast<unsigned>(Stage::lsu)] += static_cast<std::uint32_t>(answer.access.issue_cycle - load.issue);
  if (at > load.at || load.before(one)) load = one;
}

CycleStack::Origin CycleStack::complete(std::uint32_t slot) {
  if (free_.empty()) {
    if (answered_.size() + kSlotCauses >= kMostOrigins) return of(SlotCause::stores);
    free_.push_back(static_cast<Origin>(answered_.size() + kSlotCauses));
    answered_.emplace_back();
  }
  const Origin origin = free_.back();
  free_.pop_back();
  answered_[origin - kSlotCauses] = under_way_[slot];
  return origin;
}

void CycleStack::catch_up(Cycle now) {
  decide_vacant(now);
  bring_to(counters_.all, kSlot * schedulers_.size() * now);
  std::uint64_t issues = 0, issuing = 0;
  for (const Scheduler& scheduler : schedulers_) {
    issues += scheduler.issues;
    issuing += (interval_ - 1) * scheduler.issues - (scheduler.free > now ? std::min(scheduler.free - now, interval_ - 1) : 0);
  }
  bring_to(count(SlotCause::issued), kSlot * issues);
  bring_to(count(SlotCause::issuing), kSlot * issuing);
}

}  // namespace wharf

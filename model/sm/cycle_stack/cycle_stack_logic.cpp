#include <algorithm>
#include <limits>
#include <string>

#include "model/base/bits.h"
#include "model/sm/cycle_stack/cycle_stack.h"

namespace wharf {

namespace {

constexpr CycleStack::Origin kMostOrigins = std::numeric_limits<CycleStack::Origin>::max();

void raise_to(stats::Counter& counter, std::uint64_t value) { counter += value - counter.value(); }

template <std::size_t n>
std::vector<std::string> prefixed(const char* prefix, const char* const (&names)[n]) {
  std::vector<std::string> full;
  for (const char* name : names) full.push_back(std::string(prefix) + name);
  return full;
}

}  // namespace

CycleStack::Counters::Counters(stats::Group& g, unsigned stages)
    : all(g, "slots.all", "issue slots, one per scheduler and core cycle, in millionths", stats::Unit::count),
      causes(kSlotCauses),
      of_stage(stages),
      of_server(kServedBy) {
  // Made once, because every SM has these counters.
  static const std::vector<std::string> kCauses = prefixed("slots.", kSlotCauseNames), kOfStage = prefixed("slots.load.in_", kStageNames),
                                        kOfServer = prefixed("slots.load.by_", kServedByNames);
  const auto add = [&g](FixedArray<stats::Counter>& counters, const std::vector<std::string>& names, std::size_t count, const char* help) {
    for (std::size_t i = 0; i < count; ++i) counters.emplace_back(g, names[i], help, stats::Unit::count);
  };
  add(causes, kCauses, kCauses.size(), "issue slots by cause, in millionths");
  add(of_stage, kOfStage, stages, "issue slots that waited for loads and atomics, by the stage that took the time, in millionths");
  add(of_server, kOfServer, kOfServer.size(), "issue slots that waited for loads and atomics, by the block that answered, in millionths");
}

CycleStack::CycleStack(unsigned schedulers, unsigned warps, Cycle issue_interval, stats::Group& group, unsigned stages)
    : interval_(issue_interval), schedulers_(schedulers), warps_(warps), counters_(group, stages) {
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

std::uint64_t CycleStack::waited_slots() const {
  std::uint64_t others = 0;
  for (unsigned cause = 0; cause <= static_cast<unsigned>(SlotCause::tail); ++cause) others += slots(static_cast<SlotCause>(cause));
  return counted() - others;
}

/// Distributes the remainder of the slots since `live` changed. Without warps, the remainder is all of them.
void CycleStack::roll(unsigned index) {
  Scheduler& scheduler = schedulers_[index];
  const std::uint64_t warps = popcount(scheduler.live), now_empty = scheduler.empty(decided(index)),
                      empty = now_empty - scheduler.empty_then;
  const std::uint64_t parts = empty * (kSlot - warps * scheduler.share) + scheduler.left;
  scheduler.clock_then += empty * scheduler.share;
  scheduler.empty_then = now_empty;
  scheduler.left = 0;
  if (warps != 0) {
    scheduler.clock_then += parts / warps;
    scheduler.left = parts % warps;
  } else if (vacant_) {
    pending_ += parts;
  } else {
    count(SlotCause::no_warp) += parts;
  }
}

void CycleStack::roll_vacant() {
  for (unsigned s = 0; s < schedulers_.size(); ++s)
    if (schedulers_[s].live == 0) roll(s);
}

/// Decides all slots before `now` and counts those of schedulers without warps.
void CycleStack::decide_vacant(Cycle now) {
  if (now > decided_) begin(now);
  roll_vacant();
}

void CycleStack::set_live(unsigned index, WarpMask live) {
  roll(index);
  schedulers_[index].live = live;
  schedulers_[index].share = live != 0 ? kSlot / popcount(live) : 0;
  with_warps_ = (with_warps_ & ~(1u << index)) | (live != 0 ? 1u << index : 0u);
}

InstructionProfile::Entry& InstructionProfile::look_up(Key key) {
  Entry& entry = kernels_[running_].entries[key];
  entry.key = key;
  recent_[place_of(key)] = &entry;
  return entry;
}

void CycleStack::settle_pending(SlotCause cause) {
  count(cause) += pending_;
  pending_ = 0;
}

void CycleStack::kernel_started(Cycle now) {
  if (in_kernel_) return;  // another kernel runs
  decide_vacant(now);
  settle_pending(SlotCause::no_kernel);
  in_kernel_ = true;
}

void CycleStack::kernel_ended(Cycle now) {
  decide_vacant(now);
  settle_pending(has_had_cta_ ? SlotCause::tail : SlotCause::idle_sm);
  has_had_cta_ = false;
  in_kernel_ = false;
}

void CycleStack::launched(WarpMask members, Cycle now, unsigned place) {
  decide_vacant(now);
  if (vacant_) settle_pending(has_had_cta_ ? SlotCause::no_warp : SlotCause::launch);
  has_had_cta_ = true;
  if (members == 0) return;
  vacant_ = false;
  for (const unsigned w : set_bits(members)) warps_[w].kernel = profile_.kernel_at(place);
  for (unsigned s = 0; s < schedulers_.size(); ++s) {
    WarpMask added = 0;
    for (const unsigned w : set_bits(members))
      if (warps_[w].scheduler == s) added |= warp_bit(w);
    if (added != 0) set_live(s, schedulers_[s].live | added);
  }
}

void CycleStack::ended(unsigned w, bool last) {
  Warp& warp = warps_[w];
  roll(warp.scheduler);  // it still pays its share of the remainder
  enter(w, State::absent, SlotCause::issued);
  warp.next = InstructionProfile::kNoKey;
  warp.entry = nullptr;
  set_live(warp.scheduler, schedulers_[warp.scheduler].live & ~warp_bit(w));
  if (!last) return;
  roll_vacant();
  vacant_ = true;
}

void CycleStack::update_ready_warps() {
  for (const unsigned w : set_bits(ready_)) {
    Warp& warp = warps_[w];
    const SlotCause held = held_by(w, warp);
    if (held == warp.held) continue;
    end_state(warp);
    warp.held = held;
  }
}

/// If two results arrive in one cycle, the order of the calls must not matter.
void CycleStack::arrived(unsigned w, Origin origin, Cycle now) {
  Warp& warp = warps_[w];
  if (warp.arrived == now) {
    if (!before(warp.origin, origin)) return release(origin);
  }
  if (warp.arrived != kNever) release(warp.origin);
  warp.arrived = now;
  warp.origin = origin;
}

void CycleStack::end_wait(Warp& warp, std::uint64_t parts) {
  const std::uint64_t behind = std::min(std::exchange(warp.behind_memory, 0), parts);
  if (warp.arrived == kNever) {
    count(SlotCause::no_warp) += parts;
    return;
  }
  warp.arrived = kNever;
  if (warp.origin < kSlotCauses) {
    const bool is_of_unit = warp.origin >= result_of(0) && warp.origin < of(SlotCause::result_shared);
    if (is_of_unit && behind != 0) charge(warp, SlotCause::lsu_queue, behind);
    charge(warp, static_cast<SlotCause>(warp.origin), is_of_unit ? parts - behind : parts);
  } else {
    charge_load(load_of(warp.origin), parts);
    release(warp.origin);
  }
}

/// A wait for a copy is one for the engine until this has requested the last line.
void CycleStack::freed(unsigned w, Origin by) {
  Warp& warp = warps_[w];
  if (by < kSlotCauses || warp.state != State::barrier) return;
  const Load& load = load_of(by);
  if (load.at == 0) return;  // nothing of it came from global memory
  std::uint64_t parts = advance(warp);
  if (load.in_engine != 0) {
    std::uint32_t trip = load.in_engine;
    for (const std::uint32_t cycles : load.stages) trip += cycles;
    const auto engine = static_cast<std::uint64_t>(static_cast<double>(parts) * load.in_engine / trip);
    charge(warp, warp.held, engine);
    parts -= engine;
  }
  charge_load(load, parts);
}

/// Charges in proportion to the stages; the rounding remainder goes to the last one.
void CycleStack::charge_load(const Load& load, std::uint64_t parts) {
  std::array<std::uint64_t, kStages>& account = loads_[static_cast<unsigned>(load.server)];
  counters_.of_server[static_cast<unsigned>(load.server)] += parts;
  load.entry->slots += parts;
  std::uint32_t trip = 0;
  for (const std::uint32_t cycles : load.stages) trip += cycles;
  const double part_of_cycle = trip == 0 ? 0.0 : static_cast<double>(parts) / trip;
  unsigned last = static_cast<unsigned>(Stage::lsu);
  std::uint64_t given = 0;
  for (unsigned stage = 0; stage < kStages; ++stage) {
    if (load.stages[stage] == 0) continue;
    const auto share = static_cast<std::uint64_t>(static_cast<double>(load.stages[stage]) * part_of_cycle);
    account[stage] += share;
    counters_.of_stage[stage] += share;
    given += share;
    last = stage;
  }
  account[last] += parts - given;
  counters_.of_stage[last] += parts - given;
}

CycleStack::Origin CycleStack::add_record(InstructionProfile::Entry& entry, Cycle now) {
  if (free_.empty()) {
    if (records_.size() + kSlotCauses >= kMostOrigins) return of(SlotCause::stores);
    free_.push_back(static_cast<Origin>(records_.size() + kSlotCauses));
    records_.emplace_back();
  }
  const Origin origin = free_.back();
  free_.pop_back();
  load_of(origin) = {};
  load_of(origin).issue = now;
  load_of(origin).entry = &entry;
  return origin;
}

void CycleStack::memory_issued(unsigned w, std::uint32_t slot, bool awaited, Cycle now) {
  if (slot >= under_way_.size()) under_way_.resize(slot + 1);
  InstructionProfile::Entry& entry = entry_of(warps_[w]);
  under_way_[slot] = {awaited ? add_record(entry, now) : of(SlotCause::stores), &entry};
}

/// Only the last answered access of an instruction counts.
void CycleStack::answered(const Transaction& answer, Cycle at) {
  const UnderWay& instruction = under_way_[answer.access.slot];
  if (answer.access.kind != AccessKind::store) count_answer(*instruction.entry, answer);
  if (instruction.origin >= kSlotCauses) record_answer(load_of(instruction.origin), answer, at);
}

void CycleStack::copy_answered(Origin copy, const Transaction& answer, Cycle at) {
  if (copy < kSlotCauses) return;
  count_answer(*load_of(copy).entry, answer);
  record_answer(load_of(copy), answer, at);
}

void CycleStack::count_answer(InstructionProfile::Entry& entry, const Transaction& answer) {
  ++entry.served[static_cast<unsigned>(answer.reply.served_by)];
  entry.misses += answer.reply.missed;
  entry.held_elsewhere += answer.reply.held_elsewhere;
  entry.not_supplied += answer.reply.held_elsewhere && answer.reply.from_peer == 0;
}

void CycleStack::record_answer(Load& load, const Transaction& answer, Cycle at) {
  if (at < load.at) return;
  Load now = load;
  now.record_answer(answer, at);
  if (at > load.at || load.before(now)) load = now;
}

void CycleStack::Load::record_answer(const Transaction& answer, Cycle when) {
  at = when;
  server = answer.reply.served_by;
  for (unsigned stage = 0; stage < kStages; ++stage) stages[stage] = answer.stages[stage];
  if (!answer.stages.counted()) stages = {};
  const auto before = static_cast<std::uint32_t>(answer.access.issue_cycle - issue);
  if (of_copy)
    in_engine = before;
  else
    stages[static_cast<unsigned>(Stage::lsu)] += before;
}

void CycleStack::catch_up(Cycle now) {
  decide_vacant(now);
  // Slots after a kernel count when the next one starts, because the run may have ended with this kernel.
  raise_to(counters_.all, kSlot * schedulers_.size() * now - (in_kernel_ ? 0 : pending_));
  std::uint64_t issues = 0, issuing = 0;
  for (const Scheduler& scheduler : schedulers_) {
    const std::uint64_t instructions_issued = scheduler.taken / interval_;
    issues += instructions_issued;
    issuing += (interval_ - 1) * instructions_issued - (scheduler.free > now ? std::min(scheduler.free - now, interval_ - 1) : 0);
  }
  raise_to(count(SlotCause::issued), kSlot * issues);
  raise_to(count(SlotCause::issuing), kSlot * issuing);
}

}  // namespace wharf

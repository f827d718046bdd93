// The barriers of CTAs, and those of thread-block clusters (modern_gpus section 4).

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/sm/sm_logic.h"

namespace wharf {

namespace {

constexpr std::uint32_t kDrops = 1u << 31, kOfLanes = 1u << 30;  // in Access::slot of an arrival, beside its count

}  // namespace

/// Performs a barrier instruction. A stream's advance() changes the instruction.
void SmLogic::use_barrier(unsigned w, const WarpInstruction& instruction) {
  warps_[w].barrier_pc = instruction.pc;
  const BarrierUse use = instruction.barrier;
  if (MbarrierUse::is_by(use)) return use_mbarrier(w, instruction);
  warps_[w].stream->advance();
  warps_[w].vain_tests = 0;
  arrive_at_barrier(w, use);
}

void SmLogic::arrive_at_barrier(unsigned w, const BarrierUse& use) {
  ++counters_.barriers;
  if (ledger_ != nullptr) ledger_->add(warps_[w].kernel, KernelCount::barriers);
  if (use.of_cluster) return use_cluster_barrier(w, use);
  const std::uint32_t slot = warps_[w].cta;
  golden_.uses_barrier(w, slot, use);
  barriers_[slot].arrive(w, use);
  barriers_free_ = std::max(barriers_free_, now_) + params_.barrier_interval;
  if (!use.arrives_only) stop_at_barrier(w);
  open_barrier(slot, use.number);
  if (use.arrives_only) step(w);
}

void SmLogic::stop_at_barrier(unsigned w, SlotCause cause) {
  warps_[w].at_barrier = true;
  schedulers_[warps_[w].scheduler].order->stalled_long(w);
  notify_filter({WarpEvent::Kind::waiting, w});
  if (cycle_stack_ != nullptr) cycle_stack_->waits_at_barrier(w, cause);
}

/// Lets the warps at the barrier continue if all have arrived, barrier_cycles after the arrival that was taken last.
void SmLogic::open_barrier(std::uint32_t slot, unsigned number) {
  const Cta& cta = ctas_[slot];
  const WarpMask warps = barriers_[slot].open(number, cta.members, cta.ended);
  const Cycle at = std::max(barriers_free_, now_) + params_.barrier_cycles;
  if (at == now_) return leave_barrier(warps);
  for (const unsigned w : set_bits(warps))
    results_.add(at, {static_cast<std::uint16_t>(w), kNoRegister, false, false, 0, Result::Kind::barrier});
}

/// Lets warps go on. `freed_by`: the load or copy for which they waited, if it is known.
void SmLogic::leave_barrier(WarpMask warps, CycleStack::Origin freed_by) {
  for (const unsigned w : set_bits(warps)) {
    if (cycle_stack_ != nullptr) cycle_stack_->freed(w, freed_by);
    golden_.passes(w);
    warps_[w].at_barrier = false;
    warps_[w].vain_tests = 0;
    const auto is_own = [w](const LimitedWait& wait) { return wait.warp == w; };
    limited_waits_.erase(std::remove_if(limited_waits_.begin(), limited_waits_.end(), is_own), limited_waits_.end());
    notify_filter({WarpEvent::Kind::resumed, w});
    step(w);
  }
}

/// The warp goes on when what it did before the fence is done.
void SmLogic::use_fence(unsigned w) {
  Warp& warp = warps_[w];
  warp.at_fence = true;
  warp.stream->advance();
  step(w);
  if (!warp.at_fence || warp.next == nullptr) return;
  schedulers_[warp.scheduler].order->stalled_long(w);
  notify_filter({WarpEvent::Kind::waiting, w});
}

/// Called when a result or an acknowledgement arrives.
bool SmLogic::passes_fence(unsigned w) {
  Warp& warp = warps_[w];
  const bool awaits_results = std::any_of(warp.pending.begin(), warp.pending.end(), [](std::uint64_t registers) { return registers != 0; });
  const bool awaits_stores = params_.fence_waits == FenceWait::performed && (warp.stores != 0 || warp.stores_done > now_);
  if (!awaits_results && !awaits_stores) {
    warp.at_fence = false;
    notify_filter({WarpEvent::Kind::resumed, w});
    if (params_.fence_invalidates) port_.pass_fence();
    return true;
  }
  // All acknowledgements are known, but the last has not arrived.
  if (!awaits_results && warp.stores == 0)
    results_.add(warp.stores_done, {static_cast<std::uint16_t>(w), kNoRegister, false, false, CycleStack::of(SlotCause::stores)});
  if (cycle_stack_ != nullptr) cycle_stack_->waits_for_result(w, *warp.next);
  return false;
}

void SmLogic::use_cluster_barrier(unsigned w, const BarrierUse& use) {
  const std::uint32_t slot = warps_[w].cta;
  ClusterBarrier& barrier = ctas_[slot].cluster_barrier;
  golden_.uses_barrier(w, slot, use);
  const auto refuse = [&] {
    throw InputError("CTA " + std::to_string(ctas_[slot].number) + ": a warp " + ClusterBarrier::misuse(use.arrives_only));
  };
  if (use.arrives_only) {
    if (!barrier.arrive(w)) refuse();
    notify_cluster(slot);
    return step(w);
  }
  const ClusterBarrier::Wait wait = barrier.wait(w);
  if (wait == ClusterBarrier::Wait::never_arrived) refuse();
  if (wait == ClusterBarrier::Wait::passes) return leave_barrier(warp_bit(w));
  stop_at_barrier(w);
}

/// If the CTA's accesses to the cluster are answered, its arrivals at mbarriers leave; and if all its warps have arrived at the cluster's
/// barrier, the cluster learns of it.
void SmLogic::notify_cluster(std::uint32_t slot) {
  Cta& cta = ctas_[slot];
  if (cta.peer_accesses != 0) return;
  arrivals_.insert(arrivals_.end(), cta.held_arrivals.begin(), cta.held_arrivals.end());
  cta.held_arrivals.clear();
  if (!cta.cluster_barrier.is_complete(cta.members, cta.ended)) return;
  cta.cluster_barrier.notified();
  if (peers_ == nullptr || cta.cluster.places == nullptr)
    results_.add(now_ + 1, {static_cast<std::uint16_t>(slot), kNoRegister, false, false, 0, Result::Kind::of_cluster});
  else
    arrivals_.push_back(arrival_of(slot));
}

/// The arrival of a CTA at the barrier of its cluster.
Access SmLogic::arrival_of(std::uint32_t slot) const {
  const Cta& cta = ctas_[slot];
  Access arrival;
  arrival.kind = AccessKind::barrier;
  arrival.space = Space::cluster;
  arrival.line = LineAddress::of(shared_address((*cta.cluster.places)[0], 0));
  arrival.sectors = 0;
  arrival.sm = number_;
  arrival.cta = static_cast<std::uint32_t>(cta.number);
  arrival.slot = slot;
  arrival.kernel = cta.kernel;
  return arrival;
}

/// Sends at most one arrival per cycle.
void SmLogic::send_arrivals(Cycle now) {
  if (peers_blocked_ || peers_free_ > now) return;
  const Access arrival = arrivals_.front();
  arrivals_.erase(arrivals_.begin());
  send_peer(peers_->next(arrival), now);
}

/// Performs an instruction on an mbarrier. The own CTA's mbarriers change as the instruction issues.
void SmLogic::use_mbarrier(unsigned w, const WarpInstruction& instruction) {
  const MbarrierUse use = MbarrierUse::of(instruction);
  if (use.op == MbarrierOp::copy) {
    const BulkCopy copy = BulkCopy::of(instruction);
    warps_[w].stream->advance();
    start_copy(w, copy);
    return step(w);
  }
  warps_[w].stream->advance();
  if (is_on_copies(use.op)) return use_bulk_groups(w, use);
  if (is_on_loads(use.op)) return use_async_loads(w, use);
  ++counters_.barriers;
  if (ledger_ != nullptr) ledger_->add(warps_[w].kernel, KernelCount::barriers);
  const std::uint32_t slot = warps_[w].cta;
  Mbarriers& mbarriers = ctas_[slot].mbarriers;
  const auto offset = static_cast<std::uint32_t>(use.at);
  golden_.uses_mbarrier(w, slot, use);
  if (use.op == MbarrierOp::wait && mbarriers.wait(offset, use.value, w)) {
    constexpr std::uint64_t kNsPerUs = 1000;
    const std::uint64_t cycles = (use.limit_ns * std::uint64_t{params_.clock_mhz} + kNsPerUs - 1) / kNsPerUs;
    if (use.limit_ns != 0) limited_waits_.push_back({now_ + cycles, w, Mbarriers::vain_tests_of(use.limit_ns)});
    return stop_at_barrier(w, SlotCause::mbarrier);
  }
  warps_[w].vain_tests = 0;
  golden_.passes(w);
  if (use.op == MbarrierOp::init) mbarriers.init(offset, use.value);
  if (use.op == MbarrierOp::invalidate) mbarriers.invalidate(offset);
  if (use.op == MbarrierOp::expect_arrivals) mbarriers.expect_arrivals(offset, use.value);
  if (use.op == MbarrierOp::arrive || use.op == MbarrierOp::arrive_drop) {
    if (const CtaPlace place = place_of_rank(slot, rank_of(use.at)); place.sm != number_ || place.slot != slot) {
      arrive_at_peer(w, place, use);
    } else {
      golden_.arrives(w, slot, use);
      arrive_at_own(w, use);
    }
  }
  step(w);
}

/// Lets the warps go on whose waits have reached their limit.
void SmLogic::time_out(Cycle now) {
  std::vector<LimitedWait> ended;
  std::copy_if(limited_waits_.begin(), limited_waits_.end(), std::back_inserter(ended),
               [now](const auto& wait) { return wait.end <= now; });
  std::sort(ended.begin(), ended.end(), [](const auto& a, const auto& b) { return a.warp < b.warp; });
  for (const LimitedWait& wait : ended) {
    Warp& warp = warps_[wait.warp];
    ctas_[warp.cta].mbarriers.stop_waiting(wait.warp);
    warp.stream->time_out();
    const std::uint32_t before = warp.vain_tests;
    leave_barrier(warp_bit(wait.warp));
    warp.vain_tests = before + wait.vain_tests;
  }
}

Cycle SmLogic::next_time_out() const {
  Cycle next = kNever;
  for (const LimitedWait& wait : limited_waits_) next = std::min(next, wait.end);
  return next;
}

bool SmLogic::will_time_out() const {
  return std::any_of(limited_waits_.begin(), limited_waits_.end(),
                     [this](const LimitedWait& wait) { return !warps_[wait.warp].tests_in_vain(); });
}

void SmLogic::use_async_loads(unsigned w, const MbarrierUse& use) {
  if (async_loads_.empty()) async_loads_.resize(warps_.size());
  AsyncOperations& loads = async_loads_[w];
  if (use.op == MbarrierOp::commit_loads) loads.commit();
  if (use.op == MbarrierOp::wait_loads && loads.wait(use.value)) return stop_at_barrier(w, SlotCause::mbarrier);
  if (use.op == MbarrierOp::arrive_later && !loads.arrive_later(use)) arrive_at_own(w, use);
  step(w);
}

void SmLogic::use_bulk_groups(unsigned w, const MbarrierUse& use) {
  if (bulk_groups_.empty()) bulk_groups_.resize(warps_.size());
  BulkGroups& groups = bulk_groups_[w];
  if (use.op == MbarrierOp::commit_copies) {
    groups.reads.commit();
    groups.whole.commit();
  } else if ((use.op == MbarrierOp::wait_reads ? groups.reads : groups.whole).wait(use.value)) {
    return stop_at_barrier(w, SlotCause::mbarrier);
  }
  step(w);
}

/// Those of one cycle end in an order that does not depend on when their answers became known.
void SmLogic::end_async_loads() {
  std::sort(ended_loads_.begin(), ended_loads_.end(), [this](const Result& a, const Result& b) {
    if (a.warp != b.warp || a.async_name != b.async_name) return std::tie(a.warp, a.async_name) < std::tie(b.warp, b.async_name);
    return cycle_stack_ != nullptr && cycle_stack_->before(a.origin, b.origin);
  });
  for (const Result& load : ended_loads_) {
    const AsyncOperations::Finished finished = async_loads_[load.warp].finished(load.async_name);
    for (const MbarrierUse& use : finished.arrivals) arrive_at_own(load.warp, use, load.origin);
    if (finished.ends_wait) leave_barrier(warp_bit(load.warp), load.origin);
    retire(load);
  }
  ended_loads_.clear();
}

/// Arrives at an mbarrier of the warp's CTA.
void SmLogic::arrive_at_own(unsigned w, const MbarrierUse& use, CycleStack::Origin freed_by) {
  leave_barrier(ctas_[warps_[w].cta].mbarriers.arrive(use), freed_by);
}

void SmLogic::arrive_at_peer(unsigned w, CtaPlace place, const MbarrierUse& use) {
  Warp& warp = warps_[w];
  Cta& cta = ctas_[warp.cta];
  const auto offset = static_cast<std::uint32_t>(use.at);
  Access arrival = arrival_of(warp.cta);
  arrival.kind = AccessKind::shared;
  arrival.line = LineAddress::of(shared_address(place, offset));
  arrival.pc = offset;
  arrival.slot = use.value | (use.op == MbarrierOp::arrive_drop ? kDrops : 0) | (use.lanes > 1 ? kOfLanes : 0);
  arrival.written_bytes = static_cast<std::uint32_t>(use.bytes);
  arrival.warp = static_cast<std::uint16_t>(w);
  golden_.sends(w, arrival, now_);
  ++warp.stores;
  (cta.peer_accesses != 0 ? cta.held_arrivals : arrivals_).push_back(arrival);
}

void SmLogic::peer_arrives(const Access& arrival, Cycle at) {
  const CtaPlace place = place_of(arrival.line);
  if (is_copied(arrival) || arrival.kind == AccessKind::store) golden_.counted(arrival, at);
  Arrival effect{{MbarrierOp::arrive, arrival.pc, 0, -static_cast<std::int32_t>(arrival.written_bytes)}, is_copied(arrival), {}, 0};
  MbarrierUse& use = effect.use;
  if (arrival.kind == AccessKind::store) {
    use.bytes = -static_cast<std::int32_t>(counted_bytes(arrival));
  } else if (!effect.copied) {
    if ((arrival.slot & kDrops) != 0) use.op = MbarrierOp::arrive_drop;
    if ((arrival.slot & kOfLanes) != 0) use.lanes = kLanes;
    use.value = arrival.slot & ~(kDrops | kOfLanes);
    use.bytes = static_cast<std::int32_t>(arrival.written_bytes);
  } else if (comes_with_reply(arrival)) {
    effect.cluster = arrival.slot;
    if (ledger_ != nullptr) ledger_->answered(arrival.kernel, at);
  } else if (arrival.sm == number_) {
    effect.origin = copies_->names_of_write(arrival).origin;
  }
  ctas_[place.slot].peer_arrivals.push_back(effect);
  results_.add(at, {place.slot, kNoRegister, false, false, 0, Result::Kind::of_peer});
}

/// Another CTA's arrival, or that of bytes, takes effect.
void SmLogic::finish_peer_arrival(std::uint32_t slot) {
  Cta& cta = ctas_[slot];
  const Arrival arrival = cta.peer_arrivals.front();
  cta.peer_arrivals.erase(cta.peer_arrivals.begin());
  if (arrival.copied) copies_->received(static_cast<std::uint32_t>(-arrival.use.bytes));
  if (arrival.cluster && (cta.cluster_number != *arrival.cluster || cta.ended == cta.members)) return;
  leave_barrier(cta.mbarriers.arrive(arrival.use), arrival.origin);
}

/// All CTAs of the cluster have arrived. Warps that have exited since their arrival end only now, so that the answer finds its CTA.
void SmLogic::open_cluster_barrier(std::uint32_t slot) {
  Cta& cta = ctas_[slot];
  leave_barrier(cta.cluster_barrier.open());
  for (const unsigned w : set_bits(cta.members & ~cta.ended))
    if (warps_[w].next == nullptr) end_if_done(w);
}

std::vector<SmLogic::CtaWait> SmLogic::cta_waits() const {
  std::vector<CtaWait> all;
  for (std::size_t slot = 0; slot < ctas_.size(); ++slot) {
    const Cta& cta = ctas_[slot];
    const WarpMask live = cta.members & ~cta.ended;
    if (live == 0) continue;
    const auto add = [&](const std::vector<BarrierWait>& waits, bool is_asynchronous) {
      for (const BarrierWait& wait : waits) all.push_back({cta.number, cta.kernel, lowest_bit(cta.members), is_asynchronous, wait});
    };
    add(barrier_waits(barriers_[slot], cta.cluster_barrier, cta.mbarriers, live), false);
    WarpMask testing = 0;
    for (const unsigned w : set_bits(live))
      if (warps_[w].tests_in_vain() && !warps_[w].at_barrier) testing |= warp_bit(w);
    if (testing != 0) add({vain_tests(testing)}, false);
    add(async_waits(cta), true);
  }
  return all;
}

std::vector<BarrierWait> SmLogic::async_waits(const Cta& cta) const {
  BarrierWait copies{"bulk_copies", "the end of bulk copies to global memory", 0};
  BarrierWait reads{"bulk_copies", "the end of reads of shared memory by bulk copies", 0};
  BarrierWait loads{"async_loads", "the end of asynchronous loads", 0};
  for (const unsigned w : set_bits(cta.members & ~cta.ended)) {
    if (!bulk_groups_.empty() && bulk_groups_[w].whole.is_awaited()) copies.warps |= warp_bit(w);
    if (!bulk_groups_.empty() && bulk_groups_[w].reads.is_awaited()) reads.warps |= warp_bit(w);
    if (!async_loads_.empty() && async_loads_[w].is_awaited()) loads.warps |= warp_bit(w);
  }
  std::vector<BarrierWait> waits;
  for (const BarrierWait& wait : {copies, reads, loads})
    if (wait.warps != 0) waits.push_back(wait);
  return waits;
}

}  // namespace wharf

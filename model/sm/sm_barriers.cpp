// The barriers of CTAs, and those of thread-block clusters (modern_gpus section 4).

#include <string>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/sm/sm_logic.h"

namespace wharf {

void SmLogic::arrive_at_barrier(unsigned w, const BarrierUse& use) {
  ++counters_.barriers;
  if (ledger_ != nullptr) ledger_->add(warps_[w].kernel, KernelCount::barriers);
  if (use.of_cluster) return use_cluster_barrier(w, use);
  const std::uint32_t slot = warps_[w].cta;
  barriers_[slot].arrive(w, use);
  if (!use.arrives_only) stop_at_barrier(w);
  open_barrier(slot, use.number);
  if (use.arrives_only) step(w);
}

void SmLogic::stop_at_barrier(unsigned w) {
  warps_[w].at_barrier = true;
  schedulers_[warps_[w].scheduler].order->stalled_long(w);
  tell_filter({WarpEvent::Kind::waiting, w});
  if (cycle_stack_ != nullptr) cycle_stack_->waits_at_barrier(w);
}

/// Lets the warps at the barrier continue if all have arrived.
void SmLogic::open_barrier(std::uint32_t slot, unsigned number) {
  const Cta& cta = ctas_[slot];
  leave_barrier(barriers_[slot].open(number, cta.members, cta.ended));
}

void SmLogic::leave_barrier(WarpMask warps) {
  for (const unsigned w : set_bits(warps)) {
    warps_[w].at_barrier = false;
    tell_filter({WarpEvent::Kind::resumed, w});
    step(w);
  }
}

void SmLogic::use_cluster_barrier(unsigned w, const BarrierUse& use) {
  const std::uint32_t slot = warps_[w].cta;
  ClusterBarrier& barrier = ctas_[slot].cluster_barrier;
  const auto refuse = [&](const char* what) {
    throw SimulationError("CTA " + std::to_string(ctas_[slot].number) + ": a warp " + what + " the barrier of its cluster");
  };
  if (use.arrives_only) {
    if (!barrier.arrive(w)) refuse("arrives twice, without a wait in between, at");
    notify_cluster(slot);
    return step(w);
  }
  const ClusterBarrier::Wait wait = barrier.wait(w);
  if (wait == ClusterBarrier::Wait::never_arrived) refuse("waits, and has not arrived, at");
  if (wait == ClusterBarrier::Wait::passes) return step(w);
  stop_at_barrier(w);
}

/// If all warps of the CTA have arrived at the cluster's barrier and its stores are acknowledged, the cluster learns of it.
void SmLogic::notify_cluster(std::uint32_t slot) {
  Cta& cta = ctas_[slot];
  if (cta.peer_stores != 0 || !cta.cluster_barrier.is_complete(cta.members, cta.ended)) return;
  cta.cluster_barrier.notified();
  if (peers_ == nullptr || cta.cluster.places == nullptr)
    results_.add(now_ + 1, {static_cast<std::uint16_t>(slot), kNoRegister, false, false, 0, Result::Kind::cluster_release});
  else
    arrivals_.push_back(slot);
}

/// Sends at most one arrival per cycle, to the SM of rank 0.
void SmLogic::send_arrivals(Cycle now) {
  if (peers_blocked_ || peers_free_ > now) return;
  const std::uint32_t slot = arrivals_.front();
  arrivals_.erase(arrivals_.begin());
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
  send_peer(peers_->next(arrival), now);
}

/// All CTAs of the cluster have arrived. Warps that have exited since their arrival end only now, so that the answer finds its CTA.
void SmLogic::open_cluster_barrier(std::uint32_t slot) {
  Cta& cta = ctas_[slot];
  leave_barrier(cta.cluster_barrier.open());
  for (const unsigned w : set_bits(cta.members & ~cta.ended))
    if (warps_[w].next == nullptr) end_if_done(w);
}

}  // namespace wharf

// The SM's side of the prediction of L2 access counts (loscache section 5).

#include <algorithm>

#include "model/sm/sm_logic.h"

#include "model/base/bits.h"

namespace wharf {

void SmLogic::cta_launched(const Cta& cta, Cycle now) {
  if (!prediction_->cta_launched(cta.number, now)) return;
  if (predictor_preferred_) notify_filter({WarpEvent::Kind::predicted, 0, 0});
  predictor_preferred_ = true;
  for (const unsigned warp : set_bits(cta.members)) notify_filter({WarpEvent::Kind::predictor, warp, 0});
}

void SmLogic::prefer_none_after_prediction() {
  if (!predictor_preferred_ || prediction_->predicting()) return;
  predictor_preferred_ = false;
  notify_filter({WarpEvent::Kind::predicted, 0, 0});
}

void SmLogic::kernel_ended(Cycle now) {
  if (cycle_stack_ != nullptr) cycle_stack_->kernel_ended(now);
  if (prediction_ == nullptr) return;
  prediction_->kernel_ended(now);
  port_.hold_kernel(false);
  prefer_none_after_prediction();
}

void SmLogic::predict(Cycle now) {
  prediction_->advance(now);
  prefer_none_after_prediction();
  if (prediction_->probe_waits()) send_probe(now);
}

/// Sends a count probe in the load/store unit's next free cycle at the L1 (loscache section 5.5: back to back, one per cycle).
void SmLogic::send_probe(Cycle now) {
  if (port_blocked_ || port_free_ > now || memory_free_ > now) return;
  const std::uint32_t index = prediction_->next_probe();
  const PredictionUnit::Entry& entry = prediction_->entry(index);
  Access& probe = port_.next({});
  probe.line = entry.block;
  probe.kind = AccessKind::metadata;
  probe.cache_op = CacheOp::bypass_l1;
  probe.sm = number_;
  probe.pc = entry.pc;
  probe.slot = index;
  memory_free_ = now + 1;
  send(probe, now);
  port_.hold_kernel(false);  // the probe now does
}

Cycle SmLogic::next_prediction(Cycle now) const {
  Cycle next = prediction_->next_event();
  if (prediction_->probe_waits() && !port_blocked_) next = std::min(next, std::max({now + 1, port_free_, memory_free_}));
  return next;
}

}  // namespace wharf

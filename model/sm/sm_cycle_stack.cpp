// Tells the cycle stack of the SM what its warps do.

#include <algorithm>

#include "model/sm/sm_logic.h"

namespace wharf {

void SmLogic::keep_cycle_stack(stats::Group& group) {
  cycle_stack_ = std::make_unique<CycleStack>(params_.schedulers, params_.warps, params_.issue_interval, group);
  group.law("slots.issued == warp_instructions, in millionths",
            [this] { return cycle_stack_->slots(SlotCause::issued) == CycleStack::kSlot * counters_.warp_instructions.value(); });
  group.law("slots in which warps waited == sum of the slots of all instructions",
            [this] { return cycle_stack_->waited_slots() == cycle_stack_->profile().slots(); });
}

/// The state that the warp is in now, whatever it was in.
void SmLogic::account(unsigned w) {
  const Warp& warp = warps_[w];
  if ((ctas_[warp.cta].ended & warp_bit(w)) != 0) return;
  if (warp.next == nullptr) return cycle_stack_->is_leaving(w);
  if (warp.at_barrier) return cycle_stack_->waits_at_barrier(w);  // and has no next instruction yet
  cycle_stack_->looks_at(w, *warp.next);
  const Resource resource = resource_of(warp.next->unit);
  const Scheduler& scheduler = schedulers_[w % params_.schedulers];
  if ((scheduler.ready[resource] & warp_bit(w)) == 0) return cycle_stack_->waits_for_result(w);
  const auto busy = resource == kMemory ? SlotCause::lsu_queue
                                        : static_cast<SlotCause>(static_cast<unsigned>(SlotCause::unit_alu) + resource);
  cycle_stack_->is_ready(w, busy, (scheduler.loads & warp_bit(w)) != 0);
}

/// Called before the result changes anything. Returns true where it may change what the warp waits for.
bool SmLogic::account_result(const Result& result) {
  const Warp& warp = warps_[result.warp];
  if (result.is_load && loads_in_flight_ == params_.loads_in_flight) cycle_stack_->limit_loads(false);
  if (!cycle_stack_->awaits(result.warp)) {
    cycle_stack_->release(result.origin);
    return false;
  }
  const WarpInstruction* next = warp.next;
  const auto named = [&] {
    return result.destination != kNoRegister &&
           (next->destination == result.destination || std::find(next->sources.begin(), next->sources.end(), result.destination) != next->sources.end());
  };
  if (next == nullptr || result.blocks_warp || named()) cycle_stack_->arrived(result.warp, result.origin, now_);
  else cycle_stack_->release(result.origin);
  return true;
}

/// A memory instruction that goes to the L1 is issued.
void SmLogic::account_memory(const MemoryInstruction& memory, std::uint32_t index, Cycle now) {
  cycle_stack_->memory_issued(memory.warp, index, memory.remaining != 0 && (!memory.is_store || memory.blocks_warp), now);
  if (memory.is_load && loads_in_flight_ == params_.loads_in_flight) cycle_stack_->limit_loads(true);
}

}  // namespace wharf

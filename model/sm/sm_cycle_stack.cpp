// Reports to the SM's cycle stack what its warps do.

#include <algorithm>

#include "model/sm/sm_logic.h"

namespace wharf {

void SmLogic::keep_cycle_stack(stats::Group& group, unsigned stages) {
  cycle_stack_ = std::make_unique<CycleStack>(params_.schedulers, params_.warps, params_.issue_interval, group, stages);
  group.law("slots.issued == warp_instructions, in millionths",
            [this] { return cycle_stack_->slots(SlotCause::issued) == CycleStack::kSlot * counters_.warp_instructions.value(); });
  group.law("slots in which warps waited == sum of the slots of all instructions",
            [this] { return cycle_stack_->waited_slots() == cycle_stack_->profile().slots(); });
}

/// The operands of the warp's next instruction are available.
void SmLogic::account_ready(unsigned w, Resource resource, bool is_load) {
  // After those of the units, in the order of Resource, come the load/store unit's and the multiplier's.
  static_assert(static_cast<unsigned>(SlotCause::unit_alu) + kMemory == static_cast<unsigned>(SlotCause::lsu_queue));
  static_assert(static_cast<unsigned>(SlotCause::unit_alu) + kImad == static_cast<unsigned>(SlotCause::unit_imad));
  const bool by_fp32 = resource == kImad && params_.units.imad_interval <= params_.units.fp32.interval;
  const auto busy = static_cast<SlotCause>(static_cast<unsigned>(SlotCause::unit_alu) + (by_fp32 ? kFp32 : resource));
  cycle_stack_->is_ready(w, *warps_[w].next, busy, is_load);
}

/// Called before the result changes any state.
void SmLogic::account_result(const Result& result) {
  if (result.is_load && loads_in_flight_ == params_.loads_in_flight) cycle_stack_->limit_loads(false);
  if (!cycle_stack_->awaits(result.warp)) return cycle_stack_->release(result.origin);
  const WarpInstruction* next = warps_[result.warp].next;
  const auto named = [&] {
    bool any = next->destination == result.destination;
    for (const RegisterId source : next->sources) any |= source == result.destination;
    return any && result.destination != kNoRegister;
  };
  if (next == nullptr || result.blocks_warp || warps_[result.warp].at_fence || named())
    cycle_stack_->arrived(result.warp, result.origin, now_);
  else
    cycle_stack_->release(result.origin);
}

/// Handles the issue of a memory instruction that accesses the L1.
void SmLogic::account_memory(const MemoryInstruction& memory, std::uint32_t index, Cycle now) {
  cycle_stack_->memory_issued(memory.warp, index, memory.remaining != 0 && (!memory.is_store || memory.blocks_warp), now);
  if (memory.is_load && loads_in_flight_ == params_.loads_in_flight) cycle_stack_->limit_loads(true);
}

/// The collector has run its steps of this cycle.
void SmLogic::account_collector() {
  static_assert(kMemory == OperandCollector::kMemory);
  cycle_stack_->behind_memory(collector_->behind_memory(), [this](unsigned column) {
    return collector_->issued(OperandCollector::scheduler_of(column), OperandCollector::kind_of(column)).warp;
  });
}

}  // namespace wharf

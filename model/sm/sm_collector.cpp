// Instructions of an SM in its operand collector (CM-40).

#include <algorithm>

#include "model/base/bits.h"
#include "model/sm/sm_logic.h"

namespace wharf {

/// Puts an instruction into its issue register. `slot` is the place of a memory instruction in queue_.
void SmLogic::collect(unsigned scheduler, unsigned w, const WarpInstruction& instruction, RegisterId destination, std::uint16_t slot) {
  OperandCollector::Instruction collected;
  collected.order = counters_.warp_instructions.value();
  collected.warp = static_cast<std::uint16_t>(w);
  collected.destination = destination;
  collected.slot = slot;
  const UnitTiming timing = timing_of(instruction);
  collected.latency = static_cast<std::uint16_t>(timing.latency);
  collected.interval = static_cast<std::uint16_t>(timing.interval);
  collector_->issue(scheduler, resource_of(instruction.unit), collected, instruction.sources);
}

/// Units take instructions from their execute registers.
void SmLogic::start_collected(Cycle now) {
  for (const unsigned column : set_bits(collector_->waiting() & ~OperandCollector::columns_of_kind(kMemory))) {
    const unsigned s = OperandCollector::scheduler_of(column), kind = OperandCollector::kind_of(column);
    Cycle& free = schedulers_[s].unit_free[kind];
    if (free > now) continue;
    const OperandCollector::Instruction& started = collector_->dispatch(s, kind);
    free = now + started.interval;
    // The unit's input register holds the instruction for one cycle before execution.
    if (started.destination != kNoRegister)
      results_.add(now + 1 + started.latency + params_.writeback_cycles,
                   {started.warp, started.destination, false, false, CycleStack::result_of(kind)});
  }
  start_collected_memory(now);
}

/// If the load/store unit is idle, it takes the oldest instruction of the execute registers. Queues of schedulers take theirs if they can.
void SmLogic::start_collected_memory(Cycle now) {
  if (subcores_ != nullptr) {
    for (const unsigned column : set_bits(collector_->waiting() & OperandCollector::columns_of_kind(kMemory))) {
      const unsigned s = OperandCollector::scheduler_of(column);
      if (schedulers_[s].unit_free[kMemory] <= now) enter_subcore(s, collector_->dispatch(s, kMemory).slot);
    }
    return;
  }
  if (!order_.empty() || memory_free_ > now) return;
  constexpr unsigned kNobody = ~0u;
  unsigned oldest = kNobody;
  for (const unsigned column : set_bits(collector_->waiting() & OperandCollector::columns_of_kind(kMemory))) {
    const unsigned s = OperandCollector::scheduler_of(column);
    if (oldest == kNobody || collector_->front(s, kMemory).order < collector_->front(oldest, kMemory).order) oldest = s;
  }
  if (oldest != kNobody) order_.push_back(collector_->dispatch(oldest, kMemory).slot);
}

/// Returns the next cycle in which an instruction can move in the collector or leave it.
Cycle SmLogic::next_collected(Cycle now) const {
  if (collector_->idle()) return kNever;
  if (collector_->may_move()) return now + 1;
  Cycle next = kNever;
  const OperandCollector::Columns memory = subcores_ != nullptr ? 0 : OperandCollector::columns_of_kind(kMemory);
  for (const unsigned column : set_bits(collector_->waiting() & ~memory))
    next = std::min(next, schedulers_[OperandCollector::scheduler_of(column)].unit_free[OperandCollector::kind_of(column)]);
  if ((collector_->waiting() & memory) != 0 && order_.empty()) next = std::min(next, memory_free_);
  return next;
}

}  // namespace wharf

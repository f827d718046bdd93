#include "model/sm/operand_collector.h"

#include <algorithm>

namespace wharf {

namespace {

/// The order in which kinds request a collector unit: single precision, special functions, memory, tensor, double precision, integer,
/// branch (CM-40).
constexpr std::array<std::uint8_t, OperandCollector::kKinds> kOrder = {1, 3, 6, 4, 2, 0, 5};

}  // namespace

OperandCollector::OperandCollector(const SmParams& params)
    : steps_(params.collector_steps), bank_mask_(params.register_banks - 1), schedulers_(params.schedulers) {
  for (Scheduler& scheduler : schedulers_) scheduler.units.resize(params.collector_units);
}

void OperandCollector::issue(unsigned index, unsigned kind, Instruction instruction, const std::array<RegisterId, 4>& sources) {
  Scheduler& scheduler = schedulers_[index];
  for (unsigned i = 0; i < sources.size(); ++i) {
    if (sources[i] == kNoRegister || std::find(sources.begin(), sources.begin() + i, sources[i]) != sources.begin() + i) continue;
    ++instruction.reads[bank_of(instruction.warp, sources[i])];
    ++instruction.left;
  }
  scheduler.issued[kind] = instruction;
  scheduler.issued_kinds |= static_cast<std::uint8_t>(1u << kind);
  ++held_;
  newly_issued_ = true;
}

void OperandCollector::written(unsigned warp, RegisterId destination) {
  if (destination == kNoRegister) return;
  schedulers_[warp % schedulers_.size()].written_banks |= static_cast<std::uint8_t>(1u << bank_of(warp, destination));
}

/// A step moves complete instructions on, reads the banks, and then fills free units, so that each of the three takes a step of its own.
bool OperandCollector::step() {
  bool moved = false;
  newly_issued_ = false;
  for (unsigned i = 0; i < steps_; ++i) {
    for (Scheduler& scheduler : schedulers_) {
      if (scheduler.used_units == 0) continue;
      moved |= move_on(scheduler);
      moved |= read_banks(scheduler, i == 0 ? scheduler.written_banks : 0);
    }
    moved |= take_issued();
  }
  for (Scheduler& scheduler : schedulers_) scheduler.written_banks = 0;
  return moved;
}

bool OperandCollector::move_on(Scheduler& scheduler) {
  bool moved = false;
  for (Unit& unit : scheduler.units) {
    if (!unit.used || unit.instruction.left != 0 || (scheduler.waiting_kinds >> unit.kind & 1) != 0) continue;
    scheduler.waiting[unit.kind] = unit.instruction;
    scheduler.waiting_kinds |= static_cast<std::uint8_t>(1u << unit.kind);
    unit.used = false;
    --scheduler.used_units;
    moved = true;
  }
  return moved;
}

/// A bank serves the oldest instruction that waits for it.
bool OperandCollector::read_banks(Scheduler& scheduler, std::uint8_t written) {
  bool moved = false;
  for (unsigned bank = 0; bank <= bank_mask_; ++bank) {
    if ((written >> bank & 1) != 0) {
      moved = true;  // the bank can be read in the next step
      continue;
    }
    Unit* first = nullptr;
    for (Unit& unit : scheduler.units)
      if (unit.used && unit.instruction.reads[bank] != 0 && (first == nullptr || unit.instruction.order < first->instruction.order))
        first = &unit;
    if (first == nullptr) continue;
    --first->instruction.reads[bank];
    --first->instruction.left;
    moved = true;
  }
  return moved;
}

/// In each round every kind offers its oldest instruction of the SM. One whose scheduler has no free unit blocks the instructions of its kind
/// in the other schedulers.
bool OperandCollector::take_issued() {
  bool moved = false, again = true;
  std::uint8_t held_up = 0;
  while (again) {
    again = false;
    for (const std::uint8_t kind : kOrder) {
      const auto bit = static_cast<std::uint8_t>(1u << kind);
      if ((held_up & bit) != 0) continue;
      Scheduler* oldest = nullptr;
      for (Scheduler& scheduler : schedulers_)
        if ((scheduler.issued_kinds & bit) != 0 && (oldest == nullptr || scheduler.issued[kind].order < oldest->issued[kind].order))
          oldest = &scheduler;
      if (oldest == nullptr || oldest->used_units == oldest->units.size()) {
        held_up |= bit;
        continue;
      }
      *std::find_if(oldest->units.begin(), oldest->units.end(), [](const Unit& u) { return !u.used; }) = {true, kind, oldest->issued[kind]};
      ++oldest->used_units;
      oldest->issued_kinds &= static_cast<std::uint8_t>(~bit);
      moved = again = true;
    }
  }
  return moved;
}

}  // namespace wharf

#include "model/sm/collector/operand_collector.h"

namespace wharf {

namespace {

/// The order in which kinds request a collector unit: single precision, special functions, memory, tensor, double precision, integer,
/// branch (CM-40).
constexpr std::array<std::uint8_t, OperandCollector::kKinds> kKindOfTurn = {1, 3, 6, 4, 2, 0, 5};
constexpr std::array<std::uint8_t, OperandCollector::kKinds> kTurnOfKind = {5, 0, 4, 1, 3, 6, 2};

constexpr std::uint32_t in_every_byte(std::uint32_t banks) { return banks * 0x01010101u; }

template <class Word>
constexpr Word bit(unsigned index) {
  return static_cast<Word>(Word{1} << index);
}

}  // namespace

OperandCollector::OperandCollector(const SmParams& params)
    : steps_(params.collector_steps), bank_mask_(params.register_banks - 1), schedulers_(params.schedulers) {
  for (Scheduler& scheduler : schedulers_) {
    scheduler.units.resize(params.collector_units);
    scheduler.free = ~std::uint64_t{0} >> (64 - params.collector_units);
  }
}

void OperandCollector::issue(unsigned index, unsigned kind, Instruction instruction, const std::array<RegisterId, 4>& sources) {
  const auto is_repeated = [&](unsigned i) {
    bool found = false;
    for (unsigned earlier = 0; earlier < i; ++earlier) found |= sources[earlier] == sources[i];
    return found;
  };
  for (unsigned i = 0; i < sources.size(); ++i) {
    if (sources[i] == kNoRegister || is_repeated(i)) continue;
    std::uint32_t read = bit<std::uint32_t>(bank_of(instruction.warp, sources[i]));
    while ((instruction.reads & read) != 0) read <<= 8;
    instruction.reads |= read;
  }
  Scheduler& scheduler = schedulers_[index];
  scheduler.issued[kind] = instruction;
  issued_ |= column(index, kind);
  issued_turns_ |= bit<std::uint8_t>(kTurnOfKind[kind]);
  ++held_;
  may_move_ = true;
}

void OperandCollector::written(unsigned warp, RegisterId destination) {
  if (destination == kNoRegister) return;
  written_banks_[warp % schedulers_.size()] |= bit<std::uint8_t>(bank_of(warp, destination));
}

/// A step first moves complete instructions on, then reads the banks, then fills free units. An instruction thus needs one step for each.
bool OperandCollector::run_steps() {
  bool moved = false;
  for (unsigned i = 0; i < steps_; ++i) {
    bool moves = false;
    for (const unsigned s : set_bits(working_)) {
      Scheduler& scheduler = schedulers_[s];
      if (scheduler.complete != 0) moves |= move_on(s);
      if (scheduler.reading != 0) moves |= read_banks(scheduler, i == 0 ? written_banks_[s] : std::uint8_t{0});
    }
    if (issued_turns_ != 0) moves |= dispatch_issued();
    if (!moves) break;
    moved = true;
  }
  return moved;
}

bool OperandCollector::move_on(unsigned index) {
  Scheduler& scheduler = schedulers_[index];
  bool moved = false;
  for (const unsigned u : set_bits(scheduler.complete)) {
    const Unit& unit = scheduler.units[u];
    if ((waiting_ & column(index, unit.kind)) != 0) {
      scheduler.blocked |= bit<std::uint64_t>(u);
      continue;
    }
    scheduler.waiting[unit.kind] = unit.instruction;
    waiting_ |= column(index, unit.kind);
    scheduler.free |= bit<std::uint64_t>(u);
    moved = true;
  }
  scheduler.complete = 0;
  if ((scheduler.reading | scheduler.blocked) == 0) working_ &= static_cast<std::uint8_t>(~bit<unsigned>(index));
  return moved;
}

/// A bank serves the oldest instruction that waits for it. A bank that a result occupies (`written`) serves it in the next step.
bool OperandCollector::read_banks(Scheduler& scheduler, std::uint8_t written) {
  bool moved = false;
  auto open = static_cast<std::uint8_t>(~written);
  for (std::uint64_t rest = scheduler.reading; rest != 0;) {
    unsigned oldest = lowest_bit(rest);
    for (const unsigned u : set_bits(rest & (rest - 1)))
      if (scheduler.units[u].instruction.order < scheduler.units[oldest].instruction.order) oldest = u;
    rest &= ~bit<std::uint64_t>(oldest);
    std::uint32_t& reads = scheduler.units[oldest].instruction.reads;
    moved |= (reads & written) != 0;
    const std::uint32_t read = reads & open;
    if (read == 0) continue;
    const std::uint32_t columns = in_every_byte(read);
    reads = (reads & ~columns) | (reads >> 8 & columns);
    open &= static_cast<std::uint8_t>(~read);
    moved = true;
    if (reads != 0) continue;
    scheduler.reading &= ~bit<std::uint64_t>(oldest);
    scheduler.complete |= bit<std::uint64_t>(oldest);
  }
  return moved;
}

/// Returns the scheduler that holds the SM's oldest instruction of this kind. At least one scheduler must hold one.
unsigned OperandCollector::oldest_issued(unsigned kind) const {
  const Columns holders = issued_ & columns_of_kind(kind);
  unsigned oldest = scheduler_of(lowest_bit(holders));
  for (const unsigned column : set_bits(holders & (holders - 1))) {
    const unsigned s = scheduler_of(column);
    if (schedulers_[s].issued[kind].order < schedulers_[oldest].issued[kind].order) oldest = s;
  }
  return oldest;
}

OperandCollector::Columns OperandCollector::behind_memory() const {
  const auto is_held_up_by_memory = [](const Scheduler& scheduler) {
    bool found = false;
    for (const unsigned u : set_bits(scheduler.blocked)) found |= scheduler.units[u].kind == kMemory;
    return found && scheduler.free == 0;
  };
  Columns behind = 0;
  for (unsigned kind = 0; kind < kMemory; ++kind) {
    const Columns holders = issued_ & columns_of_kind(kind);
    if (holders != 0 && is_held_up_by_memory(schedulers_[oldest_issued(kind)])) behind |= holders;
  }
  return behind;
}

/// True if every scheduler that holds issued instructions holds one and has a free unit: the order in which they are taken is then of no
/// consequence.
bool OperandCollector::has_unit_for_each() const {
  for (Columns rest = issued_; rest != 0;) {
    const unsigned index = scheduler_of(lowest_bit(rest));
    rest &= rest - 1;
    if (rest != 0 && scheduler_of(lowest_bit(rest)) == index) return false;
    if (schedulers_[index].free == 0) return false;
  }
  return true;
}

void OperandCollector::move_to_unit(unsigned index, unsigned kind) {
  Scheduler& scheduler = schedulers_[index];
  const unsigned u = lowest_bit(scheduler.free);
  const Instruction& instruction = scheduler.issued[kind];
  scheduler.units[u] = {static_cast<std::uint8_t>(kind), instruction};
  scheduler.free &= ~bit<std::uint64_t>(u);
  (instruction.reads != 0 ? scheduler.reading : scheduler.complete) |= bit<std::uint64_t>(u);
  working_ |= bit<std::uint8_t>(index);
}

bool OperandCollector::dispatch_issued() {
  if (!has_unit_for_each()) return dispatch_in_turns();
  for (const unsigned column : set_bits(issued_)) move_to_unit(scheduler_of(column), kind_of(column));
  issued_ = 0;
  issued_turns_ = 0;
  return true;
}

/// In each round every kind offers the SM's oldest instruction of that kind. If the instruction's scheduler has no free unit, it blocks the
/// instructions of its kind in the other schedulers.
bool OperandCollector::dispatch_in_turns() {
  bool moved = false;
  std::uint8_t held_up = 0;
  for (std::uint8_t round = issued_turns_; round != 0; round = static_cast<std::uint8_t>(issued_turns_ & ~held_up)) {
    for (const unsigned turn : set_bits(round)) {
      const std::uint8_t kind = kKindOfTurn[turn];
      const unsigned index = oldest_issued(kind);
      if (schedulers_[index].free == 0) {
        held_up |= bit<std::uint8_t>(turn);
        continue;
      }
      move_to_unit(index, kind);
      issued_ &= ~column(index, kind);
      if ((issued_ & columns_of_kind(kind)) == 0) issued_turns_ &= static_cast<std::uint8_t>(~bit<unsigned>(turn));
      moved = true;
    }
  }
  return moved;
}

}  // namespace wharf

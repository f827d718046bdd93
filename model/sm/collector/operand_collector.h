#pragma once
// Operand collection of an SM (CM-40). An issued instruction passes its issue register (one per scheduler and kind of unit), a collector
// unit (a few per scheduler, for all kinds) and its execute register (one per scheduler and kind), from which its unit takes it. A
// collector unit reads the source registers from the scheduler's banks, and is free again once its instruction has moved to the execute
// register. Stalled memory instructions therefore occupy the collector units and also stop the scheduler's arithmetic.

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/bits.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "model/sm/sm_params.h"

namespace wharf {

class OperandCollector {
 public:
  static constexpr unsigned kKinds = 7;      // kinds of units, including the load/store unit
  static constexpr unsigned kMemory = 6;     // the load/store unit
  static constexpr unsigned kMostBanks = 8;  // banks of one scheduler

  struct Instruction {
    std::uint64_t order = 0;  // issue order within the SM
    std::uint16_t warp = 0;
    RegisterId destination = kNoRegister;
    std::uint16_t slot = 0;  // bookkeeping of the issuer of a memory instruction
    std::uint16_t latency = 0, interval = 0;
    std::uint32_t reads = 0;  // byte n, bit b: more than n registers of bank b are still to be read
  };

  explicit OperandCollector(const SmParams& params);

  /// True while the issue register of this kind is free.
  bool accepts(unsigned scheduler, unsigned kind) const { return (issued_ & column(scheduler, kind)) == 0; }
  /// A register that `sources` names several times is read once.
  void issue(unsigned scheduler, unsigned kind, Instruction instruction, const std::array<RegisterId, 4>& sources);
  /// A result is written to its register in this cycle, so the first step cannot read that bank.
  void written(unsigned warp, RegisterId destination);

  /// Runs the steps of one cycle. Returns false if nothing moved; then nothing moves until an execute register is emptied or an instruction
  /// is issued.
  bool step() {
    if (may_move_) may_move_ = run_steps();
    written_banks_ = {};
    return may_move_;
  }
  /// True if the next step() may move an instruction.
  bool may_move() const { return may_move_; }

  /// One bit per kind of each scheduler, by column().
  using Columns = std::uint32_t;
  static constexpr Columns column(unsigned scheduler, unsigned kind) { return Columns{1} << (kColumnsOfScheduler * scheduler + kind); }
  static constexpr Columns columns_of_kind(unsigned kind) { return 0x01010101u << kind; }
  static constexpr unsigned scheduler_of(unsigned column) { return column / kColumnsOfScheduler; }
  static constexpr unsigned kind_of(unsigned column) { return column % kColumnsOfScheduler; }
  /// The execute registers that hold an instruction.
  Columns waiting() const { return waiting_; }
  const Instruction& front(unsigned scheduler, unsigned kind) const { return schedulers_[scheduler].waiting[kind]; }
  /// The unit takes the instruction.
  const Instruction& dispatch(unsigned index, unsigned kind) {
    Scheduler& scheduler = schedulers_[index];
    --held_;
    waiting_ &= ~column(index, kind);
    scheduler.complete |= scheduler.blocked;
    scheduler.blocked = 0;
    may_move_ = true;
    return scheduler.waiting[kind];
  }
  const Instruction& issued(unsigned scheduler, unsigned kind) const { return schedulers_[scheduler].issued[kind]; }
  /// The issue registers whose instruction waits for a collector unit while memory instructions that cannot leave hold some.
  Columns behind_memory() const;
  bool idle() const { return held_ == 0; }
  /// Called while it is idle.
  template <class File>
  void archive(File& file) {
    file(may_move_, written_banks_);
    for (Scheduler& scheduler : schedulers_) file(scheduler.free);
  }

 private:
  static constexpr unsigned kMostSchedulers = 4;
  static constexpr unsigned kColumnsOfScheduler = 8;
  static_assert(kKinds <= kColumnsOfScheduler && kMostSchedulers * kColumnsOfScheduler == 32);
  struct Unit {
    std::uint8_t kind = 0;
    Instruction instruction;
  };
  struct Scheduler {
    std::uint64_t free = 0;                   // bit u: units[u] holds no instruction
    std::uint64_t reading = 0, complete = 0;  // bit u: the instruction of units[u] still has registers to read, or has read all
    std::uint64_t blocked = 0;                // bit u: it has read all, but its execute register is occupied
    std::array<Instruction, kKinds> issued, waiting;
    std::vector<Unit> units;
  };
  unsigned bank_of(unsigned warp, RegisterId number) const { return (number + warp) & bank_mask_; }
  bool run_steps();
  bool move_on(unsigned scheduler);
  static bool read_banks(Scheduler& scheduler, std::uint8_t written);
  bool has_unit_for_each() const;
  void move_to_unit(unsigned scheduler, unsigned kind);
  bool dispatch_issued();
  bool dispatch_in_turns();
  unsigned oldest_issued(unsigned kind) const;

  std::uint32_t steps_;
  std::uint32_t bank_mask_;
  std::uint32_t held_ = 0;  // instructions in any register or unit
  bool may_move_ = false;
  Columns issued_ = 0, waiting_ = 0;                           // the issue and execute registers that hold an instruction
  std::uint8_t issued_turns_ = 0;                              // bit t: an issue register of the kind whose turn is t holds an instruction
  std::uint8_t working_ = 0;                                   // bit s: an instruction of scheduler s is in a collector unit
  std::array<std::uint8_t, kMostSchedulers> written_banks_{};  // by scheduler
  std::vector<Scheduler> schedulers_;
};

}  // namespace wharf

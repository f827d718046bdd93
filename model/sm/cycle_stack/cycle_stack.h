#pragma once
// Where the issue slots of one SM went (docs/howto-explain.md). Each scheduler has one slot per cycle, and each slot is counted once.
//
// A slot that issues nothing is divided equally among the live warps of its scheduler, which are those of resident CTAs that have not
// ended. Each warp is in one state at a time, and each state has one cause. A scheduler has a clock of shares: a slot without an
// instruction advances it by 1 / (live warps), and a state costs the advance of the clock while it lasts. The cause of a wait is known when
// the wait is over: it is the result that arrived last. The wait for a load is divided by the stages of that load.
//
// Counts are in millionths of a slot. The remainder of the division is distributed when the number of live warps changes, so that the sum
// is exact.

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/access.h"
#include "model/base/bits.h"
#include "model/base/host/fixed_array.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/sm/collector/operand_collector.h"
#include "model/sm/cycle_stack/instruction_profile.h"
#include "policies/warp_filter/warp_filter.h"

namespace wharf {

/// Whether a slot `issued`, or why it issued nothing; waits for loads, also asynchronous ones and those of bulk copies, are counted apart.
enum class SlotCause : std::uint8_t {
  issued,
  issuing,    // the scheduler still issues the previous instruction (sm.issue_interval)
  no_kernel,  // no kernel runs
  launch,     // no CTA of the kernel has arrived yet
  idle_sm,    // no CTA of the kernel ever arrives
  no_warp,    // the scheduler has no warp, but other schedulers of the SM do, or the next CTA is on its way
  tail,       // the SM's last CTA has ended, but the kernel has not
  // The causes below are waits of a warp:
  barrier,  // at a barrier
  result_alu,
  result_fp32,
  result_fp64,
  result_sfu,
  result_tensor,
  result_branch,   // for a result of that unit
  result_shuffle,  // of a shuffle or a reduction of a warp
  result_shared,   // of shared memory
  result_cluster,  // of the shared memory of other SMs
  unit_alu,
  unit_fp32,
  unit_fp64,
  unit_sfu,
  unit_tensor,
  unit_branch,  // for that unit, with all operands available
  lsu_queue,    // for a place before the load/store unit, or for an instruction behind memory instructions in the operand collector; or, if
                // the warp has ended, for its store to leave
  unit_imad,    // for the multiplier of integers, where it has an interval of its own (sm.units.imad_interval)
  loads_limit,  // to issue a load, while sm.loads_in_flight loads are in flight
  filter,       // the warp filter does not let the warp issue
  stores,       // the warp has ended, or is behind a fence, and its stores are not acknowledged
  mbarrier,     // for arrivals at an mbarrier, or for bulk copies but for their last lines from global memory
};
inline constexpr unsigned kSlotCauses = 29;
inline constexpr const char* kSlotCauseNames[kSlotCauses] = {
    "issued",         "issuing",     "no_kernel",   "launch",     "idle_sm",       "no_warp",       "tail",           "barrier",
    "result_alu",     "result_fp32", "result_fp64", "result_sfu", "result_tensor", "result_branch", "result_shuffle", "result_shared",
    "result_cluster", "unit_alu",    "unit_fp32",   "unit_fp64",  "unit_sfu",      "unit_tensor",   "unit_branch",    "lsu_queue",
    "unit_imad",      "loads_limit", "filter",      "stores",     "mbarrier"};

class CycleStack {
 public:
  static constexpr std::uint64_t kSlot = 1'000'000;
  /// Identifies what produced a result: a cause below kSlotCauses, or a load that has been answered.
  using Origin = std::uint16_t;
  static constexpr Origin of(SlotCause cause) { return static_cast<Origin>(cause); }
  /// Of a result of an execution unit, by its place in SlotCause.
  static constexpr Origin result_of(unsigned unit) { return static_cast<Origin>(of(SlotCause::result_alu) + unit); }

  /// `stages`: those of a load in this machine (stages_of).
  CycleStack(unsigned schedulers, unsigned warps, Cycle issue_interval, stats::Group& group, unsigned stages);

  void kernel_started(Cycle now);
  void kernel_ended(Cycle now);
  /// The SM acts in cycle `now`, of which no slot is decided yet.
  void begin(Cycle now) {
    decided_ = now;
    decided_schedulers_ = 0;
  }
  /// Scheduler `index` has had its turn in this cycle. Slots of a scheduler without warps are counted at every change, even while it
  /// sleeps.
  void count_turn(unsigned index) { decided_schedulers_ |= with_warps_ & 1u << index; }
  void count_all_turns() { decided_schedulers_ = with_warps_; }
  /// Scheduler `index` issues and is free again in cycle `free`.
  void issued(unsigned index, Cycle free) {
    Scheduler& scheduler = schedulers_[index];
    scheduler.free = free;
    scheduler.taken += interval_;
  }

  /// `place`: of the CTA's kernel among those that run together.
  void launched(WarpMask members, Cycle now, unsigned place = 0);
  // The states of a warp. Each call ends the previous state. `next` is the warp's next instruction: waits are charged to it, except that a
  // wait for a load is charged to the load.
  /// It can issue `next` unless `busy` blocks it.
  void is_ready(unsigned warp, const WarpInstruction& next, SlotCause busy, bool is_load) {
    Warp& state = warps_[warp];
    if (state.state == State::ready && state.next == InstructionProfile::key_of(next)) return;
    end_state(state);
    ready_ |= warp_bit(warp);
    state.state = State::ready;
    look_at(state, next);
    state.busy = busy;
    state.is_load = is_load;
    state.held = held_by(warp, state);
  }
  void waits_for_result(unsigned warp, const WarpInstruction& next) {
    enter(warp, State::waits, SlotCause::no_warp);
    look_at(warps_[warp], next);
  }
  void waits_at_barrier(unsigned warp, SlotCause cause = SlotCause::barrier) { enter(warp, State::barrier, cause); }
  /// What the warp waited for at a barrier ends with a load or a copy.
  void freed(unsigned warp, Origin by);
  /// It has no instruction left but still waits.
  void is_leaving(unsigned warp) { enter(warp, State::leaves, SlotCause::no_warp); }
  /// True in the states waits_for_result() and is_leaving(), which a result may end.
  bool awaits(unsigned warp) const { return warps_[warp].state >= State::waits; }
  /// `last`: no warp is left on the SM.
  void ended(unsigned warp, bool last);
  /// A result that the warp awaits arrives in cycle `now`. Takes over the origin.
  void arrived(unsigned warp, Origin origin, Cycle now);

  /// Sets the filter's masks, valid from the next decision on.
  void set_masks(const WarpMasks& masks) {
    if (masks.may_issue == may_issue_ && masks.may_issue_load == may_load_) return;
    may_issue_ = masks.may_issue;
    may_load_ = masks.may_issue_load;
    update_ready_warps();
  }
  /// Stops the issue of loads, or allows it again.
  void limit_loads(bool limited) {
    loads_limited_ = limited;
    update_ready_warps();
  }

  /// `columns`: the issue registers of the operand collector that are behind_memory(). warp_of(column): the warp whose instruction is there.
  template <class WarpOf>
  void behind_memory(std::uint32_t columns, WarpOf warp_of) {
    if (columns == behind_memory_) return;
    for (const unsigned column : set_bits(behind_memory_ & ~columns)) {
      const Behind& was = behind_[column];
      Warp& warp = warps_[was.warp];
      if (warp.state == State::waits) warp.behind_memory += clock(warp) - std::max(was.since, warp.since);
    }
    for (const unsigned column : set_bits(columns & ~behind_memory_)) {
      const unsigned warp = warp_of(column);
      behind_[column] = {clock(warps_[warp]), warp};
    }
    behind_memory_ = columns;
    update_ready_warps();
  }

  /// The memory instruction that `warp` looked at last is issued; its accesses carry `slot`. `awaited`: it has accesses, and a warp may
  /// wait for their answers.
  void memory_issued(unsigned warp, std::uint32_t slot, bool awaited, Cycle now);
  void answered(const Transaction& answer, Cycle at);
  /// The bulk copy that `warp` looked at last is issued. release() takes the origin back when it has ended.
  Origin copy_issued(unsigned warp, Cycle now) {
    const Origin origin = add_record(entry_of(warps_[warp]), now);
    if (origin >= kSlotCauses) load_of(origin).of_copy = true;
    return origin;
  }
  /// A line that it reads from global memory arrives.
  void copy_answered(Origin copy, const Transaction& answer, Cycle at);
  /// Called when all accesses of the instruction are answered. The caller passes the origin to arrived() or release().
  Origin complete(std::uint32_t slot) const { return under_way_[slot].origin; }
  /// An order of the results of one cycle.
  bool before(Origin a, Origin b) const { return a >= kSlotCauses && b >= kSlotCauses ? load_of(a).before(load_of(b)) : a < b; }
  void release(Origin origin) {
    if (origin >= kSlotCauses) free_.push_back(origin);
  }

  /// Brings the counters up to cycle `now`.
  void catch_up(Cycle now);
  /// Called between kernels (model/base/archive.h), when no warp waits and no record of a load is in use.
  template <class File>
  void archive(File& file) {
    file.expect_quiet(vacant_ && ready_ == 0 && free_.size() == records_.size(), "the cycle stack");
    file.elements(schedulers_);
    file.elements(warps_);
    file(decided_, decided_schedulers_, with_warps_, may_issue_, may_load_, loads_limited_, has_had_cta_, pending_, loads_, profile_);
  }

  /// Millionths of slots in which warps waited for loads and atomics that `server` answered, by stage.
  const std::array<std::uint64_t, kStages>& loads(ServedBy server) const { return loads_[static_cast<unsigned>(server)]; }
  InstructionProfile& profile() { return profile_; }
  const InstructionProfile& profile() const { return profile_; }
  // As of the last catch_up():
  std::uint64_t slots(SlotCause cause) const { return counters_.causes[static_cast<unsigned>(cause)].value(); }
  std::uint64_t all_slots() const { return counters_.all.value(); }
  /// Slots of waits that are not over.
  std::uint64_t open_slots() const { return all_slots() - counted(); }
  /// Slots of the warps' waits that are over.
  std::uint64_t waited_slots() const;

 private:
  enum class State : std::uint8_t { absent, ready, barrier, waits, leaves };
  /// A load in flight or answered: its round trip from issue to data, by stage.
  struct Load {
    Cycle issue = 0, at = 0;
    ServedBy server = ServedBy::none;
    InstructionProfile::Entry* entry = nullptr;  // of its instruction
    std::array<std::uint32_t, kStages> stages{};
    std::uint32_t in_engine = 0;  // cycles of a copy before its last line is requested
    bool of_copy = false;
    void record_answer(const Transaction& answer, Cycle when);
    bool before(const Load& other) const {
      return std::tie(server, stages, entry->key) < std::tie(other.server, other.stages, other.entry->key);
    }
  };
  struct UnderWay {
    Origin origin = 0;
    InstructionProfile::Entry* entry = nullptr;
  };
  struct Warp {
    std::uint64_t since = 0;                                    // the clock of shares when the state began
    InstructionProfile::Key next = InstructionProfile::kNoKey;  // its next instruction, or its last one
    InstructionProfile::Entry* entry = nullptr;                 // entry of `next`; null until the instruction costs something
    Cycle arrived = kNever;                                     // arrival so far of the last result that it awaits
    Origin origin = 0;                                          // origin of that result
    State state = State::absent;
    SlotCause busy = SlotCause::issued;  // ready: what blocks it unless the filter or the limit does
    SlotCause held = SlotCause::issued;  // ready or at the barrier: what it waits for
    bool is_load = false;
    std::uint8_t scheduler = 0;
    std::size_t kernel = 0;           // number in the profile
    std::uint64_t behind_memory = 0;  // part of a wait in which an instruction of the warp was behind_memory()
  };
  struct Scheduler {
    Cycle free = 0;           // from when it may issue again
    std::uint64_t taken = 0;  // slots that instructions took, some of them perhaps not decided yet
    std::uint64_t share = 0;  // advance of the clock per slot without an instruction
    WarpMask live = 0;
    // Values at the last change of `live`:
    std::uint64_t empty_then = 0;  // slots without an instruction
    std::uint64_t clock_then = 0;  // the clock of shares
    std::uint64_t left = 0;        // remainder of the division
    /// Slots without an instruction before cycle `decided`.
    std::uint64_t empty(Cycle decided) const { return decided - taken + (free > decided ? free - decided : 0); }
    std::uint64_t clock(Cycle decided) const { return clock_then + (empty(decided) - empty_then) * share; }
  };
  struct Counters {
    Counters(stats::Group& group, unsigned stages);
    stats::Counter all;
    FixedArray<stats::Counter> causes;     // [cause]
    FixedArray<stats::Counter> of_stage;   // [stage], of loads
    FixedArray<stats::Counter> of_server;  // [server]
  };

  Load& load_of(Origin origin) { return records_[origin - kSlotCauses]; }
  const Load& load_of(Origin origin) const { return records_[origin - kSlotCauses]; }
  /// Returns the cycle before which all slots of scheduler `index` are decided.
  Cycle decided(unsigned index) const { return decided_ + (decided_schedulers_ >> index & 1); }
  /// The clock of shares of the warp's scheduler.
  std::uint64_t clock(const Warp& warp) const { return schedulers_[warp.scheduler].clock(decided(warp.scheduler)); }
  /// Returns what the state of the warp has cost since the last call.
  std::uint64_t advance(Warp& warp) const {
    const std::uint64_t before = std::exchange(warp.since, clock(warp));
    return warp.since - before;
  }
  /// Ends the state of the warp.
  void end_state(Warp& warp) {
    const std::uint64_t parts = advance(warp);
    if (warp.state >= State::waits)
      end_wait(warp, parts);
    else if (warp.state != State::absent && parts != 0)
      charge(warp, warp.held, parts);
  }
  /// A warp that is already in the state stays in it.
  void enter(unsigned w, State state, SlotCause held) {
    Warp& warp = warps_[w];
    if (warp.state == state) return;
    end_state(warp);
    ready_ &= ~warp_bit(w);
    warp.state = state;
    warp.held = held;
  }
  void look_at(Warp& warp, const WarpInstruction& next) {
    const InstructionProfile::Key key = InstructionProfile::key_of(next);
    if (warp.next == key) return;
    warp.next = key;
    warp.entry = nullptr;
  }
  InstructionProfile::Entry& entry_of(Warp& warp) {
    if (warp.entry == nullptr) {
      profile_.resume(warp.kernel);
      warp.entry = &profile_.at(warp.next);
    }
    return *warp.entry;
  }
  void charge(Warp& warp, SlotCause cause, std::uint64_t parts) {
    count(cause) += parts;
    entry_of(warp).slots += parts;
  }
  /// Returns a record of a load of the instruction, one that is no load if there are too many.
  Origin add_record(InstructionProfile::Entry& entry, Cycle now);
  static void count_answer(InstructionProfile::Entry& entry, const Transaction& answer);
  static void record_answer(Load& load, const Transaction& answer, Cycle at);
  void end_wait(Warp& warp, std::uint64_t parts);
  void charge_load(const Load& load, std::uint64_t parts);
  void roll(unsigned index);
  void roll_vacant();
  void decide_vacant(Cycle now);
  void set_live(unsigned index, WarpMask live);
  void settle_pending(SlotCause cause);
  SlotCause held_by(unsigned index, const Warp& warp) const {
    const WarpMask may = warp.is_load ? may_issue_ & may_load_ : may_issue_;
    if ((may & warp_bit(index)) == 0) return SlotCause::filter;
    if (warp.is_load && loads_limited_) return SlotCause::loads_limit;
    if (warp.busy == SlotCause::lsu_queue) return warp.busy;
    const unsigned kind = static_cast<unsigned>(warp.busy) - static_cast<unsigned>(SlotCause::unit_alu);
    return (behind_memory_ & OperandCollector::column(warp.scheduler, kind)) != 0 ? SlotCause::lsu_queue : warp.busy;
  }
  void update_ready_warps();
  stats::Counter& count(SlotCause cause) { return counters_.causes[static_cast<unsigned>(cause)]; }
  std::uint64_t counted() const;

  Cycle interval_;
  Cycle decided_ = 0;                     // all slots before this cycle are decided
  std::uint32_t decided_schedulers_ = 0;  // schedulers whose slot in this cycle is decided too
  std::uint32_t with_warps_ = 0;          // schedulers that have warps
  struct Behind {
    std::uint64_t since = 0;  // the clock of shares
    unsigned warp = 0;
  };
  std::vector<Scheduler> schedulers_;
  std::vector<Warp> warps_;
  std::uint32_t behind_memory_ = 0;
  std::array<Behind, 32> behind_{};  // [column]
  WarpMask ready_ = 0;
  WarpMask may_issue_ = ~WarpMask{0}, may_load_ = ~WarpMask{0};
  bool loads_limited_ = false;
  bool in_kernel_ = false;
  bool vacant_ = true, has_had_cta_ = false;  // whether the SM has no warp; whether it has had a CTA of the kernel
  std::uint64_t pending_ = 0;                 // slots of a vacant SM; their cause depends on what follows
  std::vector<UnderWay> under_way_;           // [slot of the access]
  std::vector<Load> records_;                 // [origin - kSlotCauses]
  std::vector<Origin> free_;                  // unused records
  std::array<std::array<std::uint64_t, kStages>, kServedBy> loads_{};
  InstructionProfile profile_;
  Counters counters_;
};

}  // namespace wharf

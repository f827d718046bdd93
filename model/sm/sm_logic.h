#pragma once
// One SM: resident CTAs and warps, scoreboard, warp schedulers, execution units, load/store unit (common sections 9 and 16).
//
// An instruction issued in cycle c starts to execute at c + issue_to_execute_cycles, or when its unit is free; its consumer may issue
// latency + writeback_cycles later. A memory instruction reaches the L1 or the shared memory at c + issue_to_execute_cycles.
//
// Not modelled: fetch and instruction cache (CM-26), register-file banks and operand collection (a constant part of
// issue_to_execute_cycles), SIMT stack (the stimulus has resolved divergence).

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/base/timer_wheel.h"
#include "model/l1/l1_params.h"
#include "model/sm/shared_memory_turns.h"
#include "model/sm/coalescer.h"
#include "model/sm/interference_unit.h"
#include "model/sm/prediction_unit.h"
#include "model/sm/sm_params.h"
#include "stimuli/stimulus.h"

namespace wharf {

struct SmCounters {
  explicit SmCounters(stats::Group& group);
  stats::Counter warp_instructions, thread_instructions, loads, stores, atomics, shared_accesses, shared_conflict_cycles, barriers, ctas;
  stats::Counter warp_cycles, l1_latency_sum, l1_latency_full_sum, l1_latency_loads, round_trip_sum, round_trips;
  stats::Counter sectors, sectors_own_l1, sectors_other_l1;  // of loads
  stats::Histogram round_trip;
  /// Load transactions that one kind of server answered.
  struct Server {
    Server(stats::Group& group, ServedBy server);
    stats::Counter loads, cycles;
  };
  std::array<Server, kServedBy - 1> servers;  // [server - 1]
};

/// What a warp filter does to warps, where it does or where interference is measured.
struct FilterCounters {
  explicit FilterCounters(stats::Group& group);
  stats::Counter active_cycles, isolated_cycles, stalled_cycles;
  stats::Counter isolations, stalls, undos, forced_reactivations;
};

class SmLogic {
 public:
  /// The way to the L1.
  class Port {
   public:
    virtual ~Port() = default;
    /// The access to send next, so far like `like`: to be completed where it is. One that is copied as soon as it has been completed
    /// would wait for each of its fields to be stored.
    virtual Access& next(const Access& like) = 0;
    /// Sends it. False: taken, but nothing more may be sent until resume(). It arrives at the L1 one cycle later.
    virtual bool send() = 0;
  };

  SmLogic(const SmParams& params, TransactionUnit unit, std::uint32_t l1_banks, unsigned number, stats::Group& group, Port& port,
          std::uint64_t seed = 0, PredictionPeriod* period = nullptr);

  /// A CTA of `warps` takes slot `slot`; its warp w takes warp slot slot * warps per CTA + w. `age`: order of dispatch.
  void launch(std::uint64_t cta, std::uint32_t slot, std::uint64_t age, std::vector<std::unique_ptr<WarpStream>> warps, Cycle now);

  /// One core cycle; needed only at the cycles that next_event() names.
  void act(Cycle now);
  Cycle next_event(Cycle now) const;

  /// An access is answered; its data are here at cycle `at`, after the present one. All of its time has been claimed.
  void answered(const Transaction& answer, Cycle at);
  /// The L1 takes accesses again from cycle `at` on.
  void resume(Cycle at) { port_free_ = at; port_blocked_ = false; }

  /// Slots of CTAs that have ended since the last call.
  template <class Visit>
  void take_finished(Visit visit) {
    for (const std::uint32_t slot : finished_) visit(slot);
    finished_.clear();
  }

  /// From now on a cache takes turns at this SM's shared memory with the program.
  void share_memory(SharedMemoryTurns& turns) { turns_ = &turns; }

  bool busy() const { return resident_ != 0 || in_flight_ != 0; }
  std::uint64_t accesses_in_flight() const { return in_flight_; }
  /// Warps that wait for something: at a barrier, or for a register.
  WarpMask resident() const { return resident_; }
  std::uint64_t progress() const { return counters_.warp_instructions.value() + answered_; }
  std::uint64_t warp_instructions() const { return counters_.warp_instructions.value(); }
  std::uint64_t thread_instructions() const { return counters_.thread_instructions.value(); }
  const LatencyStack& latency_stack(ServedBy server) const { return stacks_[static_cast<unsigned>(server)]; }
  /// Null where L2 access counts are not predicted.
  PredictionUnit* prediction() { return prediction_.get(); }
  /// Null where nobody asks for lost lines.
  InterferenceUnit* interference() { return interference_.get(); }
  /// What the filter wants to be told.
  WarpFilterNeeds filter_needs() const { return filter_->needs(); }
  /// For a filter with needs.kernels: no CTA of the kernel is here yet. `region`: see WarpFilter::kernel_started.
  void kernel_started(bool region, Cycle now);
  /// For a filter with needs.bandwidth: busy fractions of L2 ports and DRAM buses, measured up to the end of cycle `now`.
  void measured(double l2, double dram, Cycle now);
  /// Nothing of the kernel is in flight any more.
  void kernel_ended(Cycle now);
  /// Brings the counts of warps over time up to `now`.
  void catch_up(Cycle now);

 private:
  /// What an instruction occupies: one of the units, or the load/store unit.
  enum Resource : std::uint8_t { kAlu, kFp32, kFp64, kSfu, kTensor, kBranch, kMemory, kResources };
  static Resource resource_of(Unit unit);

  struct Warp {
    std::unique_ptr<WarpStream> stream;
    const WarpInstruction* next = nullptr;
    std::array<std::uint64_t, 4> pending{};   // scoreboard: registers with a result on its way
    std::array<std::uint64_t, 4> from_memory{};  // of them: data of the memory hierarchy, a wait of unknown length
    std::uint32_t results = 0;                // of them, and loads into no register
    std::uint32_t unsent = 0;                 // memory instructions that have not left the load/store unit
    std::uint32_t stores = 0;                 // accesses without acknowledgement, where the CTA waits for them
    Cycle stores_done = 0;                    // when the last acknowledgement so far is here
    std::uint32_t cta = 0;                    // CTA slot
    std::uint32_t atomics = 0;                // instructions without an answer, where the warp stands still for them
    std::uint16_t repeats = 0;                // of `next` still to issue
    bool at_barrier = false;
  };
  struct Cta {
    std::uint64_t number = 0;
    WarpMask members = 0, ended = 0, waiting = 0;  // waiting: at the barrier
  };
  struct Scheduler {
    std::unique_ptr<WarpScheduler> order;
    std::array<WarpMask, kResources> ready{};      // warps whose next instruction has its operands, by what it occupies
    std::array<Cycle, kResources> unit_free{};     // earliest start of the next instruction in each unit
    std::array<Cycle, kResources> unit_open{};     // from then on one may be issued to it: at most unit_queue wait between the two
    std::uint8_t present = 0;                      // bit r: ready[r] is not empty
    WarpMask loads = 0;                            // of the ready ones: loads
    Cycle next_issue = 0;
    std::uint32_t memory_queued = 0;               // instructions that wait for the load/store unit
  };
  /// A memory instruction whose accesses are not all answered.
  struct MemoryInstruction {
    std::uint32_t remaining = 0;
    std::uint16_t warp = 0;
    RegisterId destination = kNoRegister;
    bool is_store = false, is_load = false, blocks_warp = false;
    Cycle first = 0, l1_done = 0, last = 0;
  };
  /// An instruction in the load/store unit or waiting for it.
  struct Queued {
    Cycle ready = 0;
    std::uint32_t shared_cycles = 0;               // not 0: shared memory
    std::uint32_t index = 0;                       // of its MemoryInstruction
    std::uint8_t scheduler = 0;
    bool started = false;
    Access access;                                 // what all its accesses have in common
    CoalescedLines lines;
    unsigned part = 0;                             // next to send
    SectorMask sent = 0;                           // sectors of that part already sent (transaction unit sector)
  };
  struct Result {
    std::uint16_t warp;
    RegisterId destination;
    bool is_load;
    bool blocks_warp;
  };

  // sm_issue.cpp
  void issue(unsigned scheduler, Cycle now);
  /// Of `ready` warps those that the filter lets issue; `loads`: ready ones whose next instruction is a load.
  WarpMask allowed(WarpMask ready, WarpMask loads) const {
    const WarpMasks& masks = filter_->masks();
    return ready & masks.may_issue & (~loads | masks.may_issue_load);
  }
  void issue_warp(unsigned scheduler, unsigned warp, Cycle now);
  void execute(unsigned scheduler, unsigned warp, const WarpInstruction& instruction, Cycle now);
  bool available(const Scheduler& scheduler, unsigned resource, Cycle now) const;
  void look_at_next(unsigned warp);
  void step(unsigned warp);
  void arrive_at_barrier(unsigned warp);
  void release_barrier(Cta& cta);
  void retire(const Result& result);
  void end_if_done(unsigned warp);
  void count_warp_cycles(Cycle now);
  bool ended(const Warp& warp) const;

  // sm_memory.cpp
  void queue_memory(unsigned scheduler, unsigned warp, const WarpInstruction& instruction, Cycle now);
  void run_memory(Cycle now);
  bool send_lines(Queued& head, Cycle now);
  bool send_sectors(Queued& head, Cycle now);
  bool send(Queued& head, const CoalescedLines::Part& part, SectorMask sectors, Cycle now);
  std::uint32_t take_entry();
  bool send(Access& access, Cycle now);

  // sm_filter.cpp
  void build_filter(unsigned number, stats::Group& group);
  void tell_filter(const WarpEvent& event);
  void advance_filter(Cycle now);
  void count_filter_cycles(Cycle now);
  void hint(Access& access) const;

  // sm_prediction.cpp: where there is prediction_
  void cta_launched(const Cta& cta, Cycle now);
  void predict(Cycle now);
  void prefer_none_after_prediction();
  void send_probe(Cycle now);
  Cycle next_prediction(Cycle now) const;

  const SmParams params_;
  TransactionUnit unit_;
  std::uint32_t l1_banks_;
  std::uint16_t number_;
  Port& port_;
  SmCounters counters_;
  std::array<LatencyStack, kServedBy> stacks_;
  std::unique_ptr<WarpFilter> filter_;
  bool filter_restricts_ = false, filter_hears_issues_ = false, filter_hints_ = false;
  std::unique_ptr<InterferenceUnit> interference_;    // null: none
  std::unique_ptr<FilterCounters> filter_counters_;   // null: none
  Cycle filter_counted_to_ = 0;
  std::unique_ptr<PredictionUnit> prediction_;     // null: none
  bool predictor_preferred_ = false;               // the filter has been told who predicts, and not that nobody does any more
  std::vector<Scheduler> schedulers_;
  std::vector<Warp> warps_;
  std::vector<Cta> ctas_;
  WarpMask resident_ = 0;                          // of CTAs that have not ended
  WarpMask unfinished_ = 0;
  std::array<Cycle, kResources> queue_wait_{};     // issue to start of execution where unit_queue others wait before it
  std::uint32_t memory_per_scheduler_;

  TimerWheel<Result> results_;
  std::vector<Queued> queue_;                      // ring: those that wait, and the one in the unit
  std::uint32_t queue_head_ = 0, queued_ = 0;
  Cycle memory_free_ = 0;                          // the load/store unit takes its next instruction
  SharedMemoryTurns* turns_ = nullptr;             // null: shared memory is the program's alone
  bool port_blocked_ = false;
  Cycle port_free_ = 0;
  std::vector<MemoryInstruction> memory_;
  std::vector<std::uint32_t> free_entries_;
  std::uint32_t loads_in_flight_ = 0;
  std::uint64_t in_flight_ = 0;                    // accesses sent and not answered
  std::uint64_t answered_ = 0;
  std::uint64_t next_access_ = 0;
  std::vector<std::uint32_t> finished_;
  Cycle now_ = 0;
  Cycle counted_to_ = 0;                           // of warp_cycles
};

}  // namespace wharf

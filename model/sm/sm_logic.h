#pragma once
// One SM: resident CTAs and warps, scoreboard, warp schedulers, execution units, load/store unit (common sections 9 and 16).
//
// An instruction issued in cycle c starts to execute at c + issue_to_execute_cycles, or later if its unit is busy; its consumer may issue
// latency + writeback_cycles after that. A memory instruction reaches the L1 or the shared memory at c + issue_to_memory_cycles, where that is set.
// With collector units, the time from issue to execution is that of operand collection (CM-40). Not modelled: fetch and instruction cache
// (CM-26), SIMT stack (the stimulus has resolved divergence).

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/base/access.h"
#include "model/base/barriers/barrier_waits.h"
#include "model/base/cluster_member.h"
#include "model/base/stats/stats.h"
#include "model/base/timer_wheel.h"
#include "model/l1/l1_params.h"
#include "model/l1_sharing/shared_memory/shared_memory_turns.h"
#include "model/monitor/edge_accesses.h"
#include "model/monitor/shared_memory/golden_shared_memory.h"
#include "model/sm/coalescer.h"
#include "model/sm/collector/operand_collector.h"
#include "model/sm/copies/async_operations.h"
#include "model/sm/copies/copy_engine.h"
#include "model/sm/cycle_stack/cycle_stack.h"
#include "model/sm/interference_unit.h"
#include "model/sm/kernel_ledger.h"
#include "model/sm/lsu/subcore_lsu.h"
#include "model/sm/prediction/prediction_unit.h"
#include "model/sm/resource.h"
#include "model/sm/sm_params.h"
#include "stimuli/stimulus.h"

namespace wharf {

struct SmCounters {
  explicit SmCounters(stats::Group& group);
  stats::Counter warp_instructions, thread_instructions, loads, stores, atomics, shared_accesses, shared_conflict_cycles, barriers, ctas;
  stats::Counter warp_cycles, l1_latency_sum, l1_latency_full_sum, l1_latency_loads, round_trip_sum, round_trips;
  stats::Counter sectors, sectors_own_l1, sectors_other_l1;  // of loads
  stats::Histogram round_trip;
  /// Load transactions by the kind of server that answered them.
  struct Server {
    Server(stats::Group& group, ServedBy server);
    stats::Counter loads, cycles;
  };
  std::array<Server, kServedBy - 1> servers;  // [server - 1]
};

/// Effects of the warp filter on warps, counted if the filter restricts them or interference is measured.
struct FilterCounters {
  explicit FilterCounters(stats::Group& group);
  stats::Counter active_cycles, isolated_cycles, stalled_cycles;
  stats::Counter isolations, stalls, undos, forced_reactivations;
};

class SmLogic {
 public:
  /// The connection to the L1, or to the shared memory of other SMs.
  class Port {
   public:
    virtual ~Port() = default;
    /// Returns the next access to send, initialised from `like`. The caller completes it in place, because copying an access completed
    /// elsewhere would stall until all its fields are stored.
    virtual Access& next(const Access& like) = 0;
    /// Sends the access; it arrives one cycle later. Returns false if no further access is accepted until resume() or resume_peers().
    virtual bool send() = 0;
    /// Another SM gets a copy of the reply to the next access, with which it performs `write` (MG-15).
    virtual void copy_reply(const Access& write) = 0;
    /// A warp passes a fence behind which no line of the L1 may be older (sm.fence_invalidates).
    virtual void pass_fence() {}
    /// Keeps the kernel from ending before an access that is to come and belongs to no warp.
    virtual void hold_kernel(bool /*held*/) {}
  };

  SmLogic(const SmParams& params, TransactionUnit unit, std::uint32_t l1_banks, unsigned number, stats::Group& group, Port& port,
          std::uint64_t seed = 0, PredictionPeriod* period = nullptr);

  /// Launches a CTA of `warps` in slot `slot`; its warp w takes warp slot slot * warps per CTA + w. `age` is its rank in order of dispatch.
  void launch(std::uint64_t cta, std::uint32_t slot, std::uint64_t age, std::vector<std::unique_ptr<WarpStream>> warps, Cycle now) {
    const auto first = static_cast<std::uint32_t>(slot * warps.size());
    launch(cta, slot, age, std::move(warps), now, first, 0);
  }
  /// Launches a CTA if kernels of different sizes share the SM. Its warp w takes warp slot first_warp + w; its kernel has place `kernel`.
  void launch(std::uint64_t cta, std::uint32_t slot, std::uint64_t age, std::vector<std::unique_ptr<WarpStream>> warps, Cycle now,
              std::uint32_t first_warp, std::uint8_t kernel, const ClusterMember& cluster = {});

  /// Acts in one core cycle. Needed only in the cycles that next_event() names.
  void act(Cycle now);
  Cycle next_event(Cycle now) const;

  /// Handles the answer to an access. Its data arrive in cycle `at`, later than the present one; its stage times are claimed up to `at`.
  /// Returns the cycle in which act() is needed for it; kNever if it is not needed, such as before an instruction's last answer.
  Cycle answered(const Transaction& answer, Cycle at);
  /// The L1 accepts accesses again from cycle `at` on.
  void resume(Cycle at) {
    port_free_ = at;
    port_blocked_ = false;
  }

  /// Accesses to the cluster's shared memory go to `port` from now on. Without a call they access this SM's own, and the barrier of the
  /// cluster is one of the CTA. Called before the first cycle.
  void join_cluster(Port& port) { peers_ = &port; }
  /// It performs bulk copies. Called before the first cycle, after join_cluster().
  void add_copy_engine(std::unique_ptr<CopyEngine> engine) { copies_ = std::move(engine); }
  /// Null without one.
  const CopyEngine* copy_engine() const { return copies_.get(); }
  /// As answered() and resume(), for the port of join_cluster().
  Cycle peer_answered(const Access& access, Cycle at);
  void resume_peers(Cycle at) {
    peers_free_ = at;
    peers_blocked_ = false;
  }
  /// An arrival at an mbarrier of this SM, or bytes of a copy for it, take effect in cycle `at`.
  void peer_arrives(const Access& arrival, Cycle at);
  /// Warps of a CTA that wait at a barrier, or for their asynchronous operations.
  struct CtaWait {
    std::uint64_t cta = 0;
    std::uint8_t kernel = 0;  // place
    unsigned first_warp = 0;
    bool is_asynchronous = false;
    BarrierWait wait;
  };
  std::vector<CtaWait> cta_waits() const;
  /// The program counter of the last barrier instruction of a warp.
  std::uint32_t barrier_pc(unsigned warp) const { return warps_[warp].barrier_pc; }
  std::uint64_t peer_accesses_in_flight() const { return peers_in_flight_; }

  /// Visits the slots of the CTAs that have ended since the last call.
  template <class Visit>
  void visit_finished(Visit visit) {
    for (const std::uint32_t slot : finished_) visit(slot);
    finished_.clear();
  }
  /// From now on the program shares this SM's shared memory with a cache, in turns.
  void share_memory(SharedMemoryTurns& turns) { turns_ = &turns; }
  /// Reports its accesses to shared memory, and what orders them, from now on.
  void report_to(GoldenSharedMemory& golden) { golden_ = SharedReports(golden, number_); }

  bool busy() const { return resident_ != 0 || in_flight_ != 0 || peers_in_flight_ != 0; }
  std::uint64_t accesses_in_flight() const { return in_flight_; }
  /// Mask of the warps of resident CTAs.
  WarpMask resident() const { return resident_; }
  /// Grows with the instructions that are not vain tests of mbarriers, and with answered accesses.
  std::uint64_t progress() const { return counters_.warp_instructions.value() - vain_instructions_ + answered_; }
  /// A warp waits that goes on when its limit is reached, and then counts as progress.
  bool will_time_out() const;
  std::uint64_t warp_instructions() const { return counters_.warp_instructions.value(); }
  std::uint64_t thread_instructions() const { return counters_.thread_instructions.value(); }
  const LatencyStack& latency_stack(ServedBy server) const { return stacks_[static_cast<unsigned>(server)]; }
  // Null unless L2 access counts are predicted, lost lines are tracked, the cycle stack is kept.
  PredictionUnit* prediction() { return prediction_.get(); }
  InterferenceUnit* interference() { return interference_.get(); }
  CycleStack* cycle_stack() { return cycle_stack_.get(); }
  /// Returns the events that the filter subscribes to.
  WarpFilterNeeds filter_needs() const { return filter_->needs(); }
  /// Sets the place of local memory for the starting kernel at place `kernel`. Called before its first CTA arrives.
  void set_local_layout(const LocalLayout& layout, std::size_t kernel = 0) {
    if (kernel >= local_.size()) local_.resize(kernel + 1);
    local_[kernel] = layout;
  }
  /// Counts the work of each running kernel separately from now on. Called before the first cycle.
  void keep_ledger(KernelLedger& ledger) { ledger_ = &ledger; }
  /// Reports its accesses to global memory from now on.
  void report_to(EdgeAccesses& accesses) { edge_accesses_ = &accesses; }
  /// A kernel starts; called before its first CTA arrives, for a filter with needs.kernels. `region`: see WarpFilter::kernel_started.
  void kernel_started(bool region, Cycle now);
  /// For a filter with needs.bandwidth: busy fractions (0..1) of L2 ports and DRAM buses, up to the end of cycle `now`.
  void measured(double l2, double dram, Cycle now);
  /// Called at the end of a kernel, when nothing of it is in flight.
  void kernel_ended(Cycle now);
  /// Called between kernels.
  void archive(Archive& file);
  /// Brings the time-weighted warp counters up to `now`.
  void catch_up(Cycle now);
  /// Counts every issue slot by its cause from now on, in counters of `group`. `stages`: as in CycleStack. Called before the first cycle.
  void keep_cycle_stack(stats::Group& group, unsigned stages);

 private:
  Resource resource_of(Unit unit) const { return resources_[static_cast<unsigned>(unit)]; }
  UnitTiming timing_of(const WarpInstruction& instruction) const {
    const std::uint32_t own = instruction.unit_cycles;
    return own != 0 ? UnitTiming{own, own} : timings_[static_cast<unsigned>(instruction.unit)];
  }

  struct Warp {
    std::unique_ptr<WarpStream> stream;
    const WarpInstruction* next = nullptr;
    std::array<std::uint64_t, 4> pending{};      // scoreboard: registers whose result is outstanding
    std::array<std::uint64_t, 4> from_memory{};  // of these, results of loads, whose latency is unknown
    std::uint32_t results = 0;                   // outstanding results, including loads without a destination
    std::uint32_t unsent = 0;                    // memory instructions still in or before the load/store unit
    std::uint32_t stores = 0;                    // unacknowledged accesses, if the CTA waits for stores
    Cycle stores_done = 0;                       // arrival of the last acknowledgement so far
    std::uint32_t cta = 0;                       // CTA slot
    std::uint32_t atomics = 0;                   // unanswered atomic instructions, if they block the warp
    std::uint16_t repeats = 0;                   // of `next`, still to issue
    std::uint8_t scheduler = 0;
    std::uint8_t kernel = 0;  // place of its kernel
    bool at_barrier = false, at_fence = false;
    std::uint32_t barrier_pc = 0;  // of its last barrier instruction, or failed test of an mbarrier
    std::uint32_t vain_tests = 0;  // of mbarriers, in a row: those that failed, and waits that timed out
    bool tests_in_vain() const { return vain_tests >= Mbarriers::kMostVainTests; }
  };
  /// At an mbarrier of a CTA.
  struct Arrival {
    MbarrierUse use;
    bool copied = false;
    std::optional<std::uint32_t> cluster;  // Cta::cluster_number, if its sender does not wait for it: it is lost if its CTA has ended
    CycleStack::Origin origin = 0;         // of a copy of this SM, if the cycle stack is kept
  };
  /// A wait at an mbarrier that ends in cycle `end` at the latest.
  struct LimitedWait {
    Cycle end = 0;
    unsigned warp = 0, vain_tests = 1;  // as which it counts if it does
  };
  struct Cta {
    std::uint64_t number = 0;
    std::uint32_t cluster_number = 0;  // of its cluster: low bits of the age of rank 0, so that no CTA here had it shortly before
    WarpMask members = 0, ended = 0;
    Cycle counted_to = 0;     // cycle up to which the ledger counts its warps' cycles
    std::uint8_t kernel = 0;  // place of its kernel
    ClusterMember cluster;
    ClusterBarrier cluster_barrier;
    Mbarriers mbarriers;
    std::vector<Access> held_arrivals;   // at mbarriers of other CTAs, behind stores that are not acknowledged
    std::vector<Arrival> peer_arrivals;  // of others, that take effect soon, in order
    std::uint32_t peer_accesses = 0;     // unanswered instructions on the cluster's shared memory that no mbarrier counts
  };
  struct Scheduler {
    std::unique_ptr<WarpScheduler> order;
    std::array<WarpMask, kResources> ready{};   // warps whose next instruction has its operands, by the resource it occupies
    std::array<Cycle, kResources> unit_free{};  // earliest start of the next instruction in each unit
    std::array<Cycle, kResources> unit_open{};  // first cycle in which another may be issued to it, so that at most unit_queue wait
    std::uint8_t present = 0;                   // bit r: ready[r] is not empty
    WarpMask loads = 0;                         // the ready warps whose next instruction is a load
    Cycle next_issue = 0;
    std::uint32_t memory_queued = 0;  // instructions waiting for the load/store unit
  };
  /// A memory instruction with unanswered accesses.
  struct MemoryInstruction {
    std::uint32_t remaining = 0;
    std::uint16_t warp = 0;
    RegisterId destination = kNoRegister;
    bool is_store = false, is_load = false, blocks_warp = false, to_peers = false;
    bool counted = false;            // by an mbarrier
    std::uint8_t async_name = 0;     // of a load without destination, in its warp's AsyncOperations
    std::uint16_t return_bytes = 0;  // on the path to the registers, if it is modelled
    Cycle first_data = kNever;       // in that case: the first answer
    Cycle first = 0, l1_done = 0, last = 0;
  };
  /// An instruction in the load/store unit or waiting for it.
  struct Queued {
    Cycle ready = 0;
    std::uint32_t shared_cycles = 0;  // nonzero: a shared-memory instruction
    std::uint32_t index = 0;          // of its MemoryInstruction
    std::uint8_t scheduler = 0;
    bool started = false;
    Access access;  // the fields that all its accesses share
    CoalescedLines lines;
    std::array<std::uint16_t, CoalescedLines::kMost> counted{};  // bytes of each part, where an mbarrier counts them
    unsigned part = 0;                                           // next part to send
    SectorMask sent = 0;                                         // sectors of that part already sent
  };
  struct Result {
    enum class Kind : std::uint8_t { ordinary, peer_load, peer_store, peer_arrival, of_peer, of_cluster, barrier, copy_read, copied };
    std::uint16_t warp;  // of_peer, of_cluster: the CTA slot
    RegisterId destination;
    bool is_load;
    bool blocks_warp;
    CycleStack::Origin origin;
    Kind kind = Kind::ordinary;
    std::uint8_t async_name = 0;  // as in MemoryInstruction; copy_read, copied: in the warp's BulkGroups
    std::uint8_t spread = 0;      // between its first and its last data; 255: or more
    std::uint16_t return_bytes = 0;
    bool is_async_load() const { return is_load && destination == kNoRegister; }
  };

  // Defined in sm_issue.cpp:
  void issue(unsigned scheduler, Cycle now);
  /// Returns the `ready` warps that the filter lets issue. `loads`: those of them whose next instruction is a load.
  WarpMask allowed(WarpMask ready, WarpMask loads) const {
    const WarpMasks& masks = filter_->masks();
    return ready & masks.may_issue & (~loads | masks.may_issue_load);
  }
  void issue_warp(unsigned scheduler, unsigned warp, Cycle now);
  void issue_all(Cycle now);
  void execute(unsigned scheduler, unsigned warp, const WarpInstruction& instruction, Resource resource, Cycle now);
  bool available(unsigned scheduler, unsigned resource, Cycle now) const;
  static Cycle opens(const Scheduler& scheduler, unsigned resource);
  void occupy(Scheduler& scheduler, unsigned resource, Cycle free);
  void start_collected(Cycle now);
  Cycle next_collected(Cycle now) const;
  Cycle next_issue(Cycle now, Cycle limit) const;
  void collect(unsigned scheduler, unsigned warp, const WarpInstruction& instruction, RegisterId destination, std::uint16_t slot);
  void look_at_next(unsigned warp);
  void step(unsigned warp);
  void retire(const Result& result);
  void end_if_done(unsigned warp);
  void count_warp_cycles(Cycle now);
  bool ended(const Warp& warp) const;

  // Defined in sm_memory.cpp:
  /// Returns the place in queue_ that the instruction takes.
  std::uint16_t queue_memory(unsigned scheduler, unsigned warp, const WarpInstruction& instruction, Cycle now);
  void queue_global(Queued& queued, MemoryInstruction& memory, const WarpInstruction& instruction, unsigned warp, Cycle now);
  void queue_shared(Queued& queued, const WarpInstruction& instruction, std::uint8_t kernel);
  void start_collected_memory(Cycle now);
  void enter_subcore(unsigned scheduler, std::uint16_t place);
  void look_at_subcore(unsigned scheduler);
  void take_from_subcore(Cycle now);
  void return_data(Cycle now);
  void run_memory(Cycle now);
  SectorMask separate_sectors(const CoalescedLines::Part& part, AccessKind kind) const;
  SectorMask next_sectors(const CoalescedLines::Part& part, SectorMask left, AccessKind kind) const;
  void fill(Access& access, const CoalescedLines::Part& part, SectorMask sectors) const;
  unsigned transactions_of(const CoalescedLines::Part& part, AccessKind kind) const;
  bool send_lines(Queued& head, Cycle now);
  bool send_sectors(Queued& head, Cycle now);
  bool send(Queued& head, const CoalescedLines::Part& part, SectorMask sectors, Cycle now);
  std::uint32_t allocate_entry();
  std::uint16_t allocate_place();
  bool send(Access& access, Cycle now);

  /// Requires ledger_.
  void enter(const Access& access, Cycle trip, const ReplyHint& reply) const;

  // Defined in sm_barriers.cpp:
  void use_barrier(unsigned warp, const WarpInstruction& instruction);
  void arrive_at_barrier(unsigned warp, const BarrierUse& use);
  std::vector<BarrierWait> async_waits(const Cta& cta) const;
  void stop_at_barrier(unsigned warp, SlotCause cause = SlotCause::barrier);
  void open_barrier(std::uint32_t slot, unsigned number);
  void leave_barrier(WarpMask warps, CycleStack::Origin freed_by = 0);
  void use_fence(unsigned warp);
  bool passes_fence(unsigned warp);
  void use_cluster_barrier(unsigned warp, const BarrierUse& use);
  void notify_cluster(std::uint32_t slot);
  Access arrival_of(std::uint32_t slot) const;
  void send_arrivals(Cycle now);
  void open_cluster_barrier(std::uint32_t slot);
  void use_mbarrier(unsigned warp, const WarpInstruction& instruction);
  void time_out(Cycle now);
  Cycle next_time_out() const;
  void use_async_loads(unsigned warp, const MbarrierUse& use);
  void use_bulk_groups(unsigned warp, const MbarrierUse& use);
  void end_async_loads();
  void finish_peer_arrival(std::uint32_t slot);
  void arrive_at_own(unsigned warp, const MbarrierUse& use, CycleStack::Origin freed_by = 0);
  void arrive_at_peer(unsigned warp, CtaPlace place, const MbarrierUse& use);

  // Defined in sm_cluster.cpp:
  void report_shared(const Queued& queued, const WarpInstruction& instruction, unsigned warp);
  CtaPlace place_of_rank(unsigned cta_slot, unsigned rank) const;
  bool is_peer_access(const WarpInstruction& instruction) const { return peers_ != nullptr && instruction.space == Space::cluster; }
  void queue_peers(Queued& queued, MemoryInstruction& memory, const WarpInstruction& instruction, unsigned warp);
  static void count_bytes(Queued& queued, const WarpInstruction& placed);
  bool send_to_peers(Queued& head, Cycle now);
  void send_peer(Access& access, Cycle now);
  void start_copy(unsigned warp, const BulkCopy& copy);
  void read_copied_line(Cycle now);
  void store_copied_line(Cycle now);
  void use_peers_for_copies(Cycle now);
  Cycle copy_answered(const Access& access, Cycle at);
  void retire_peer(const Result& result);

  // Defined in sm_filter.cpp:
  void build_filter(unsigned number, stats::Group& group);
  void notify_filter(const WarpEvent& event);
  void advance_filter(Cycle now);
  void count_filter_cycles(Cycle now);
  void hint(Access& access) const;

  // Defined in sm_cycle_stack.cpp; they require cycle_stack_:
  void account_ready(unsigned warp, Resource resource, bool is_load);
  void account_result(const Result& result);
  void account_memory(const MemoryInstruction& memory, std::uint32_t index, Cycle now);
  void account_collector();

  // Defined in sm_prediction.cpp; they require prediction_:
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
  std::unique_ptr<InterferenceUnit> interference_;   // null if unused
  std::unique_ptr<FilterCounters> filter_counters_;  // null if unused
  Cycle filter_counted_to_ = 0;
  std::unique_ptr<CycleStack> cycle_stack_;     // null if it is not kept
  std::unique_ptr<PredictionUnit> prediction_;  // null if unused
  bool predictor_preferred_ = false;            // the filter was notified of a predictor, but not yet of its end
  std::vector<Scheduler> schedulers_;
  std::uint32_t with_ready_ = 0;  // bit s: scheduler s has a warp whose next instruction has its operands
  std::vector<Warp> warps_;
  std::vector<Cta> ctas_;
  std::vector<CtaBarriers> barriers_;  // of each CTA slot
  WarpMask resident_ = 0;              // warps of CTAs that have not ended
  WarpMask unfinished_ = 0;
  std::array<UnitTiming, kUnits> timings_;      // by Unit, copied so that an issue needs no selection of a member
  std::array<Resource, kUnits> resources_;      // by Unit
  std::array<Cycle, kResources> queue_wait_{};  // issue to start of execution behind unit_queue waiting instructions
  std::uint32_t memory_per_scheduler_;

  TimerWheel<Result> results_;
  std::unique_ptr<OperandCollector> collector_;  // null: operand collection takes a constant time
  std::vector<Queued> queue_;                    // issued memory instructions; places are made when needed, each takes more than a page
  std::vector<std::uint16_t> free_places_;       // free places of queue_
  std::unique_ptr<SubcoreLsu> subcores_;         // null: a single load/store unit
  std::vector<Result> returning_;                // whose data come from the L1 in this cycle
  std::vector<Result> ended_loads_;              // without a destination, in this cycle
  std::vector<std::uint16_t> order_;             // places of queue_ in the order in which the load/store unit takes them
  Cycle memory_free_ = 0;                        // from when the load/store unit accepts its next instruction
  SharedMemoryTurns* turns_ = nullptr;           // null if the program has shared memory to itself
  bool port_blocked_ = false, peers_blocked_ = false;
  Cycle port_free_ = 0, peers_free_ = 0, barriers_free_ = 0;  // the last: from when a barrier takes the next warp's arrival
  Port* peers_ = nullptr;                                     // to the cluster's shared memory; null: this SM runs no clusters
  std::unique_ptr<CopyEngine> copies_;                        // null: this SM performs no bulk copies
  bool copies_first_ = false;                                 // at the port to the cluster, because the load/store unit has sent last
  std::vector<AsyncOperations> async_loads_;                  // [warp]; empty until a load has no destination
  std::vector<BulkGroups> bulk_groups_;                       // [warp]; empty until a copy writes global memory
  std::vector<LimitedWait> limited_waits_;                    // in the order of their beginning
  std::uint64_t vain_instructions_ = 0;                       // of warps that test in vain
  std::vector<Access> arrivals_;                              // at barriers of clusters and mbarriers of other CTAs, to be sent
  std::vector<MemoryInstruction> memory_;
  std::vector<std::uint32_t> free_entries_;
  std::vector<LocalLayout> local_;         // [place of a kernel]; empty with sm.local_memory=as_given
  KernelLedger* ledger_ = nullptr;         // null if one kernel runs at a time
  SharedReports golden_;                   // to golden memory of shared memory, if there is one
  EdgeAccesses* edge_accesses_ = nullptr;  // null unless several threads advance kernels that compute
  std::uint32_t loads_in_flight_ = 0;
  std::uint64_t in_flight_ = 0, peers_in_flight_ = 0;  // accesses sent and unanswered, to the L1 and to the cluster
  std::uint64_t answered_ = 0, next_access_ = 0;
  std::vector<std::uint32_t> finished_;
  Cycle now_ = 0, counted_to_ = 0;  // the second: up to which warp_cycles is counted
};

}  // namespace wharf

#pragma once
// A warp that executes a kernel: its timed instructions as a WarpStream (CU-54, 56).

#include <memory>

#include "stimuli/ptx/execution/convergence.h"
#include "stimuli/ptx/execution/launch_state.h"
#include "stimuli/ptx/execution/memory_access.h"
#include "stimuli/ptx/execution/progress/loop_watch.h"
#include "stimuli/ptx/execution/progress/spin_watch.h"
#include "stimuli/ptx/execution/textures/texture_fetch.h"
#include "stimuli/stimulus.h"

namespace wharf::ptx {

class PtxWarp final : public WarpStream {
 public:
  PtxWarp(std::shared_ptr<CtaState> cta, unsigned number);
  /// Runs through instructions that take no slot, up to the next one that does. Throws SimulationError where a thread fails.
  const WarpInstruction* peek() override;
  void advance() override;
  void time_out() override;
  void pass_over_compute(std::uint64_t& executed) override { passed_over_ = &executed; }

 private:
  bool prepare();
  bool prepare_or_end();
  void issue();
  bool passes_over(const Operation& operation, const Cost& cost, Split& split);
  bool may_go_on(const Operation& operation, const Split& split, LaneMask mask);
  bool reach_barrier(const Operation& operation, LaneMask mask);
  bool gather_lanes(LaneMask mask);
  void show(const Operation& operation, const Issue& issue, const Split& split, LaneMask mask);
  void show_texture(const Operation& operation);
  void show_counted_access(const Operation& operation);
  void show_access(const Operation& operation);
  void show_prefetch(const Operation& operation);
  Eviction eviction_of(const Operation& operation) const;
  // Matrices.
  void show_matrix_access(const Operation& operation);
  void show_matrix_part(const Operation& operation);
  void issue_matrix_access(const Operation& operation);
  void place_pieces(const Operation& operation);
  LaneMask lanes_with_pieces(const Operation& operation) const;
  void execute_product(const Operation& operation, LaneMask mask);
  void require_all_lanes(LaneMask mask) const;
  void require_aligned(const Operation& operation, Address address, std::uint64_t stride);
  // Mbarriers and asynchronous copies.
  void show_asynchronous(const Operation& operation);
  void show_copy(const Operation& operation);
  void show_bulk_copy(const Operation& operation);
  void show_mbarrier(const Operation& operation);
  void show_mbarrier_of_lanes(const Operation& operation);
  void show_test(const Operation& operation);
  std::uint32_t limit_of(const Operation& operation, unsigned lane) const;
  void issue_asynchronous(const Operation& operation);
  void execute_copy(const Operation& operation, LaneMask mask);
  void execute_bulk_copy(const Operation& operation, unsigned lane);
  void count_bytes(Address mbarrier, std::uint32_t bytes, unsigned lane);
  void count_access();
  void execute_mbarrier(const Operation& operation, LaneMask lanes);
  void note_copies(const Operation& operation, LaneMask lanes);
  void arrive_at_mbarrier(const Operation& operation, LaneMask lanes);
  LaneMask lanes_that_read(const Operation& operation) const;
  Address shared_place(StateSpace space, MemoryAccess::Addresses& addresses, LaneMask& lanes) const;
  std::byte* mbarrier_bytes(Address at, unsigned lane);
  void execute(const Operation& operation, LaneMask mask);
  void execute_branch(const Operation& operation, LaneMask mask);
  void end_turn();
  void watch_loop(bool may_be_endless);
  void execute_indexed_branch(const Operation& operation, LaneMask mask);
  void execute_call(const Operation& operation, LaneMask mask);
  void execute_indirect_call(const Operation& operation, LaneMask mask);
  void enter(const CallSite& site, const FunctionCode& function, LaneMask mask, std::uint32_t return_pc);
  void check_barrier(const BarrierUse& use);
  void check_end(LaneMask mask);
  bool leads_to(std::uint32_t from, std::uint32_t end) const;
  bool meets_at_other_places(LaneMask members);
  LaneMask named_lanes(const Split& split);
  void report_missing(const Split& split);
  BarrierUse barrier_use(const Operation& operation, unsigned lane) const;
  void execute_barrier();
  void read_barrier();
  void require_progress() const;
  void execute_texture(const Operation& operation, LaneMask mask);
  void execute_surface_place(const Operation& operation, LaneMask mask);
  void execute_range_policy(const Operation& operation, LaneMask mask);
  void execute_clock(const Operation& operation, LaneMask mask);
  LaneMask guarded(const Operation& operation, LaneMask mask) const;
  void use_frame(const Frame& frame) { rows_.banks[static_cast<unsigned>(Bank::frame)] = frame.rows.data(); }
  void finish();
  [[noreturn]] void fail(const std::string& text, unsigned lane = 0) const;

  std::shared_ptr<CtaState> cta_;
  const Program& program_;
  CtaChecks* checks_;  // null for none
  unsigned number_;
  Rows rows_;
  Convergence lanes_;
  MemoryAccess access_;
  LoopWatch loops_;
  SpinWatch spins_;
  SpinWatch::Finding found_ = SpinWatch::Finding::none;  // of spins_, since the last instruction
  WarpInstruction instruction_;
  bool ready_ = false;  // instruction_ is the next one
  bool finished_ = false;
  bool waits_ = false;                      // perhaps, at a barrier
  unsigned share_ = 0;                      // of the cost of the present operation
  LaneMask mask_ = 0;                       // of the present operation
  LaneMask pending_ = 0;                    // its lanes whose access, or other part, is still to come
  StateSpace space_ = StateSpace::generic;  // of the present part of an access
  bool passes_ = false;                     // of the present part of a test of an mbarrier: the phase has ended, or the warp waits for it
  bool acquires_ = false;                   // the warp has waited for others' arrivals
  /// The result of the last wait for an mbarrier, which is true until the wait times out.
  struct Waited {
    std::byte* row = nullptr;  // null: nobody reads it
    LaneMask lanes = 0;
  };
  Waited waited_;
  bool timed_out_ = false;  // since the last instruction
  /// A barrier with a reduction whose result is still to be written.
  struct Reduction {
    std::uint32_t pc;
    LaneMask mask;
    const Frame* frame;
    std::shared_ptr<const BarrierVotes> votes;
  };
  std::vector<Reduction> reductions_;
  /// The bytes of an access to a matrix, which its parts read or write: rows of 64-bit words, two per part.
  struct MatrixBytes {
    static constexpr std::size_t kPartBytes = Pieces::kMostBytes * kLanes, kMostBytes = 2 * kPartBytes;
    alignas(64) std::array<std::byte, kMostBytes> bytes;
    unsigned part = 0;  // that is shown
  };
  std::unique_ptr<MatrixBytes> matrix_;   // null before the first one
  std::uint64_t* passed_over_ = nullptr;  // counts the instructions that are not shown; null: all are
  unsigned passed_over_in_turn_ = 0;      // operations, since the last instruction that was shown
  std::uint64_t issued_ = 0;              // warp instructions, which clocks show where the run has no time
};

}  // namespace wharf::ptx

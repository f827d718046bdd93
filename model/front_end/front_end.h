#pragma once
// Runs kernels: launch, CTA dispatch, drain, and invalidation between kernels (CM-27, CM-29). Kernels of one stream run in order; up to
// front_end.concurrent_kernels of different streams run together (docs/streams.md).
//
// The front end keeps its own record of the CTAs on each SM and never reads an SM. It communicates by sideband events, and reads from the
// ledger what kernels have in flight. It sends at most one CTA per cycle to an SM.

#include <systemc>

#include "model/base/stats/stats.h"
#include "model/front_end/front_end_params.h"
#include "model/front_end/sm_books.h"
#include "model/monitor/watchdog.h"
#include "model/network/sm_groups.h"
#include "model/sm/kernel_ledger.h"
#include "model/sm/sm_params.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/payload.h"
#include "model/tlm/sideband.h"

namespace wharf {

class Archive;

/// Observes the start and end of kernels and CTAs. All calls come from the core clock.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// `place`: of the kernel among those that run together, which it keeps until it has ended.
  virtual void kernel_started(const KernelLaunch& kernel, unsigned place, Cycle now) = 0;
  /// Nothing of the kernel is in flight; if it was the `last` one to run, nothing of any kernel is. The next kernel starts in the same
  /// cycle.
  virtual void kernel_ended(const KernelLaunch& kernel, unsigned place, bool last, Cycle now) = 0;
  /// Returns false if no other CTA may start in this cycle. The next one starts once all blocks have acted in it.
  virtual bool cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now) = 0;
  virtual void cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle now) = 0;
};

/// Number of CTAs of the kernel that one SM holds, limited by warps, CTA slots, threads, registers and shared memory. Throws InputError if
/// it is 0.
std::uint32_t ctas_per_sm(const KernelLaunch& kernel, const SmParams& sm);

/// Number of CTAs of the kernel that all eligible SMs hold at a time; of one in thread-block clusters, whole clusters, each within one of `gpcs`.
/// Throws InputError as above.
std::uint64_t ctas_at_a_time(const KernelLaunch& kernel, const FrontEndParams& params, const SmParams& sm, std::uint32_t sms,
                             const SmGroups& gpcs);

/// Bytes of shared memory that an SM with a unified array sets aside: the smallest split that holds the bytes `needed` for CTAs.
std::uint32_t shared_split_bytes(const SmParams& sm, std::uint64_t needed);

/// Bytes of registers that CTAs with `used` registers leave free (sm.unused_registers_to_l1), rounded down to 2 KiB (morpheus section 12).
std::uint32_t unused_register_bytes(const SmParams& sm, std::uint64_t used);

class FrontEnd : public sc_core::sc_module, public Clocked, public Inspectable, public SidebandListener, private RunningGpu {
 public:
  FrontEnd(sc_core::sc_module_name name, const FrontEndParams& params, const SmParams& sm, std::uint32_t sms, bool write_back_l1,
           Stimulus& stimulus, ClockDomain& clock, const PayloadPool& pool, stats::Registry& registry, RunObserver& observer);

  /// Kernels in thread-block clusters run from now on, each cluster within one of the GPCs. Without a call they are refused. Called before
  /// the first cycle.
  void run_clusters(const SmGroups& gpcs);

  SidebandPort to_sms{"to_sms"};
  SidebandPort to_caches{"to_caches"};
  SidebandPort kernel_ends{"kernel_ends"};  // carries kernel_end to all listeners

  void act(Cycle now) override;
  void write(const Event& event) override;
  void inspect(std::vector<Wait>& waits) const override;
  /// Brings the count of shared memory in use up to `now`.
  void count_shared_memory(Cycle now);
  /// No kernel starts from now on, or after `kernels` have ended, until release(). Used for checkpoints. The simulation pauses when the
  /// last of these kernels has ended. If another kernel is running then, there is neither a pause nor a hold.
  void hold() { state_ = State::held; }
  void hold_after(std::uint64_t kernels) { hold_after_ = kernels; }
  /// True if it holds back the next kernel.
  bool held() const { return state_ == State::held; }
  void release();
  /// Called between kernels.
  void archive(Archive& file);
  /// The waiting stimulus now has a kernel, or has reported that it will have none. May be called at any time, from any process.
  void resume();
  /// True if every kernel has ended, or the input has proved impossible.
  bool done() const { return state_ == State::done; }
  /// True if it was done before `cycle`. For blocks that act in `cycle`, because done() depends on which of the two acts first.
  bool done_before(Cycle cycle) const { return done_at_ < cycle; }
  /// True if it waits for a kernel.
  bool idle() const { return state_ == State::open && running_ == 0; }
  /// Counts of the running kernels, if several may run; SMs keep them.
  KernelLedger& ledger() { return ledger_; }

 private:
  enum class State { open, held, done };
  struct Kernel {
    const KernelLaunch* launch = nullptr;         // null: the place is free
    CtaNeeds needs;                               // of one CTA
    std::uint32_t per_sm = 0;                     // CTAs of the kernel that fit an empty SM
    std::uint32_t slots = 0;                      // the CTA slots of these that the kernel uses; local memory has places for them
    std::uint64_t undispatched = 0, running = 0;  // CTAs
    Cycle ready_at = 0;                           // when its launch, or the drain of the caches, is over
    bool drained_caches = false;                  // write-back L1s were notified to write back dirty data

    bool dispatches(Cycle now) const { return launch != nullptr && undispatched != 0 && ready_at <= now; }
    bool has_ended_ctas() const { return launch != nullptr && undispatched == 0 && running == 0; }
  };
  struct Finished {
    Cycle seen_at;
    std::uint16_t sm;
    std::uint32_t slot;
  };

  /// A cluster that has a CTA which has not ended. Until then its CTAs keep their places, because others may access their shared memory.
  struct RunningCluster {
    std::shared_ptr<const ClusterPlaces> places;
    std::uint32_t running = 0;  // CTAs; 0: the entry is free
  };

  Cycle core_cycle() const override { return clock_.now(); }
  Picoseconds time() const override { return clock_.edge(clock_.now()); }
  std::uint32_t sms() const override { return static_cast<std::uint32_t>(books_.size()); }
  std::uint32_t sm_of_cta() const override { return opening_sm_; }

  void step(Cycle now);
  void start_kernels(Cycle now);
  bool start_next(Cycle now);
  void start(const KernelLaunch& launch, Cycle now);
  Event start_event(const Kernel& kernel, unsigned place) const;
  void collect_finished(Cycle now);
  Kernel* next_to_dispatch(Cycle now);
  void dispatch(Cycle now);
  void dispatch(Kernel& kernel, std::uint32_t sm, std::uint64_t cta, Cycle now);
  void dispatch_clusters(Kernel& kernel, Cycle now);
  void send(Kernel& kernel, CtaPlace place, std::uint64_t cta, ClusterMember cluster, Cycle now);
  void release(CtaPlace place, Cycle now);
  void check_clusters(const KernelLaunch& launch, std::uint32_t per_sm) const;
  void check_cooperative(const KernelLaunch& launch) const;
  void end_kernels(Cycle now);
  bool end_kernel(Kernel& kernel, Cycle now);
  unsigned place_of(const Kernel& kernel) const { return static_cast<unsigned>(&kernel - kernels_.data()); }
  bool has_room(const Kernel& kernel, std::uint32_t sm) const {
    return books_[sm].fits(place_of(kernel), kernel.needs, sm_, params_.sm_sharing);
  }
  void finish(Cycle now);

  const FrontEndParams params_;
  const SmParams sm_;
  bool write_back_l1_;
  Stimulus& stimulus_;
  ClockDomain& clock_;
  const PayloadPool& pool_;
  RunObserver& observer_;
  stats::Group group_;
  stats::Counter ended_, ctas_dispatched_, shared_byte_cycles_;
  ClockDomain::BlockId block_;
  std::unique_ptr<CtaScheduler> scheduler_;
  KernelLedger ledger_;
  std::vector<Kernel> kernels_;  // [place]
  std::size_t running_ = 0;      // kernels
  std::size_t dispatching_ = 0;  // place of the kernel whose CTAs were dispatched last
  bool pauses_ = false;          // no other CTA may start in this cycle
  bool opened_ = false;          // that kernel has begun to dispatch, and has CTAs left
  bool look_for_kernels_ = true;
  std::vector<SmBooks> books_;
  std::vector<std::uint32_t> eligible_;
  CtaScheduler::Room room_;
  std::uint32_t opening_sm_ = 0;      // of the CTA being dispatched
  std::vector<std::uint8_t> served_;  // [SM]: received a CTA in this cycle
  std::vector<Finished> finished_;
  State state_ = State::open;
  Cycle done_at_ = kNever;
  std::uint64_t dispatched_ = 0;
  std::uint64_t shared_bytes_ = 0;  // in use by running CTAs
  Cycle shared_counted_to_ = 0;
  std::uint64_t hold_after_ = kNever;
  SmGroups gpc_groups_;                           // empty: no clusters
  std::vector<std::vector<std::uint32_t>> gpcs_;  // eligible SMs of each GPC
  std::vector<RunningCluster> clusters_;
  std::unique_ptr<stats::Counter> cluster_wait_;  // null: no clusters
  Cycle cluster_waits_since_ = kNever;
};

}  // namespace wharf

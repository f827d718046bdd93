#pragma once
// Runs kernels in order: CTA dispatch, drain, and invalidation between kernels (CM-27, CM-29).
//
// The front end keeps its own record of the CTAs on each SM and never reads an SM; it communicates by sideband events. At most one CTA per
// cycle goes to an SM. Not modelled: concurrent kernels, streams.

#include <exception>
#include <systemc>

#include "model/base/stats/stats.h"
#include "model/front_end/front_end_params.h"
#include "model/monitor/watchdog.h"
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
  virtual void kernel_started(const KernelLaunch& kernel, Cycle now) = 0;
  /// Nothing of the kernel is in flight. The next one starts in the same cycle.
  virtual void kernel_ended(const KernelLaunch& kernel, Cycle now) = 0;
  virtual void cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now) = 0;
  virtual void cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle now) = 0;
};

/// Number of CTAs of the kernel that one SM holds, limited by warps, CTA slots, threads, registers and shared memory. Throws InputError
/// where it is 0.
std::uint32_t ctas_per_sm(const KernelLaunch& kernel, const SmParams& sm);

/// Bytes of shared memory that an SM with a unified array sets aside for the kernel: the smallest split that holds its CTAs.
std::uint32_t shared_split_bytes(const KernelLaunch& kernel, const SmParams& sm, std::uint32_t ctas);

/// Bytes of registers that the kernel's CTAs leave unused (sm.unused_registers_to_l1), rounded down to 2 KiB (morpheus section 12).
std::uint32_t unused_register_bytes(const KernelLaunch& kernel, const SmParams& sm, std::uint32_t ctas);

class FrontEnd : public sc_core::sc_module, public Clocked, public Inspectable, public SidebandListener {
 public:
  FrontEnd(sc_core::sc_module_name name, const FrontEndParams& params, const SmParams& sm, std::uint32_t sms, bool write_back_l1,
           Stimulus& stimulus, ClockDomain& clock, const PayloadPool& pool, stats::Registry& registry, RunObserver& observer);

  SidebandPort to_sms{"to_sms"};
  SidebandPort to_caches{"to_caches"};
  SidebandPort kernel_ends{"kernel_ends"};  // carries kernel_end to all who listen

  void act(Cycle now) override;
  void write(const Event& event) override;
  void inspect(std::vector<Wait>& waits) const override;
  /// Brings the count of shared memory in use up to `now`.
  void count_shared_memory(Cycle now);
  /// No kernel starts from now on, or when `kernels` have ended, until release(). For checkpoints. The simulation pauses when the last of
  /// these kernels has ended.
  void hold() { state_ = State::held; }
  void hold_after(std::uint64_t kernels) { hold_after_ = kernels; }
  /// True where it holds back the next kernel.
  bool held() const { return state_ == State::held; }
  void release();
  /// Between kernels.
  void archive(Archive& file);
  /// The waiting stimulus now has a kernel, or has reported that it will have none. May be called at any time, from any process.
  void resume();
  /// True when every kernel has ended, or the input has proved impossible.
  bool done() const { return state_ == State::done; }
  /// True when it was done before `cycle`. A block that acts in `cycle` asks this: done() would depend on which of the two acts first.
  bool done_before(Cycle cycle) const { return done_at_ < cycle; }
  /// True where it waits for a kernel.
  bool idle() const { return state_ == State::idle; }
  /// Throws the InputError that ended the run, if any. An exception that leaves a SystemC process would lose its type.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  enum class State { idle, launching, running, draining, held, done };
  struct SmBooks {
    std::vector<std::uint8_t> slot_used;
    std::uint32_t running = 0;
  };
  struct Finished {
    Cycle seen_at;
    std::uint16_t sm;
    std::uint32_t slot;
  };

  void step(Cycle now);
  void start_kernel(Cycle now);
  void collect_finished(Cycle now);
  void dispatch(Cycle now);
  void end_kernel(Cycle now);
  void finish(Cycle now);

  const FrontEndParams params_;
  const SmParams sm_;
  bool write_back_l1_;
  Stimulus& stimulus_;
  ClockDomain& clock_;
  const PayloadPool& pool_;
  RunObserver& observer_;
  stats::Group group_;
  stats::Counter kernels_, ctas_dispatched_, shared_byte_cycles_;
  ClockDomain::BlockId block_;
  std::unique_ptr<CtaScheduler> scheduler_;
  std::vector<SmBooks> books_;
  std::vector<std::uint32_t> eligible_;
  CtaScheduler::Room room_;
  std::vector<Finished> finished_;
  const KernelLaunch* kernel_ = nullptr;
  State state_ = State::idle;
  Cycle launch_at_ = 0, done_at_ = kNever;
  bool flushed_ = false;  // write-back L1s have been told to write back dirty data
  std::uint64_t undispatched_ = 0, running_ = 0, dispatched_ = 0;
  std::uint32_t per_sm_ = 0;  // CTAs of the kernel that fit an SM
  std::uint32_t slots_ = 0;   // of them the CTA slots that the kernel uses, which local memory has places for
  Cycle shared_counted_to_ = 0;
  std::uint64_t hold_after_ = kNever;
  std::exception_ptr failure_;
};

}  // namespace wharf

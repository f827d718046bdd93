#pragma once
// Divides a run into intervals: the whole run, each kernel, and windows of equal work (common section 12). Samples replicas, bandwidth and
// energy.

#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "model/cache/line_directory.h"
#include "model/front_end/front_end.h"
#include "model/sm/sm.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/frame/run_options.h"
#include "platforms/measure/chip_energy.h"
#include "platforms/measure/l2_copy_samples.h"
#include "platforms/measure/levels/parts_over_time.h"
#include "platforms/measure/stage_totals.h"
#include "platforms/measure/time_curve.h"
#include "platforms/measure/timeline.h"
#include "platforms/measure/warps_over_time.h"

namespace wharf {

class GpuFrame;

/// A record of an instant includes everything that blocks do in that instant, in any order. So the observer's calls and act() only request
/// a record. It is made in a later delta cycle of that instant.
class RunRecorder final : public sc_core::sc_module, public RunObserver, public Clocked {
 public:
  SC_HAS_PROCESS(RunRecorder);
  RunRecorder(sc_core::sc_module_name name, const GpuParams& params, const RunOptions& options, stats::Registry& registry);

  /// Call after the machine is built and before the simulation starts. `energy` must live until the run has ended.
  void attach(GpuFrame& frame, const ChipEnergy& energy);

  void kernel_started(const KernelLaunch& kernel, unsigned place, Cycle now) override;
  void kernel_ended(const KernelLaunch& kernel, unsigned place, bool last, Cycle now) override;
  bool cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now) override;
  void cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle now) override { timeline_.cta_ended(sm, slot, now); }
  /// Samples windows, replicas, bandwidth and energy every kSampleCycles.
  void act(Cycle now) override;

  /// Returns the counts of all blocks at the end of core cycle `now`, the present one.
  stats::Snapshot snapshot(Cycle now);
  /// Closes the open intervals of a run that was stopped during a kernel.
  void stop(Cycle now);
  /// Begins a rest between kernels; nothing is in flight in core cycle `now`. The time until end_rest() belongs to no interval.
  void begin_rest(Cycle now);
  void end_rest(Cycle now);

  /// Saves or loads the state between kernels.
  void archive(Archive& file);

  const Interval& whole() const { return whole_; }
  const std::vector<Interval>& kernels() const { return kernels_; }
  const std::vector<Interval>& windows() const { return windows_; }
  std::uint64_t warp_instructions() const;
  /// Kernels whose access-policy window has no effect on this machine.
  std::uint64_t idle_l2_windows() const { return idle_l2_windows_; }
  /// Energy in nJ, summed over all intervals of the table `energy_over_time`.
  double energy_over_time() const;
  void write_timeline();

 private:
  static constexpr Cycle kSampleCycles = 1000;
  static constexpr Cycle kReplicaCycles = 10'000;  // SL-37

  void record();
  /// A kernel start to be recorded at the end of the instant.
  struct Starting {
    const KernelLaunch* launch;
    unsigned place;
  };
  void start(const Starting& kernel, Cycle now, const stats::KeptSnapshot& at);
  std::size_t end_together(unsigned place, Cycle now);
  void close(Interval& interval, Cycle now, const stats::KeptSnapshot& at);
  /// Ends the present span of the kernel, if there is one, and begins another.
  void begin_span(Interval& kernel, Cycle now, const stats::KeptSnapshot& at);
  /// The CTAs with which spans of the kernel begin.
  const std::vector<std::uint64_t>& span_starts(std::size_t kernel) const;
  void leave_out_rest(Interval& interval) const;
  std::uint64_t thread_instructions() const;
  void sample_replicas();
  void sample_warps(Cycle now);
  void sample_window(Cycle now);
  TimeCurve::Totals totals();
  void end_curves(Cycle now);
  void add_causes();
  stats::TableRows bandwidth() const;
  stats::TableRows power() const;

  const GpuParams params_;
  const RunOptions options_;
  stats::Registry& registry_;
  stats::Group run_, net_, directory_group_;
  stats::Counter core_cycles_, dram_cycles_, net_cycles_, copies_sampled_, lines_sampled_, replicated_sampled_, samples_;
  stats::Histogram copies_;
  std::unique_ptr<stats::Counter> noc1_cycles_;  // null without a NoC#1
  std::unique_ptr<L2CopySamples> l2_copies_;     // null if L2 keeps no copies
  GpuFrame* frame_ = nullptr;
  ClockDomain::BlockId block_ = 0;
  Timeline timeline_;
  const ChipEnergy* energy_ = nullptr;
  std::unique_ptr<CounterTotals> sampled_;  // counters of the curve
  TimeCurve curve_{kSampleCycles};
  std::unique_ptr<WarpsOverTime> warps_;
  std::unique_ptr<PartsOverTime> parts_;
  std::unique_ptr<StageTotals> stages_;  // null if the run counts no slots
  Interval whole_;
  Interval rest_;  // since the last kernel; empty if there was none
  std::vector<Interval> kernels_, windows_;
  Interval window_;
  std::uint64_t window_end_ = 0;  // thread instructions at which the window closes
  bool in_kernel_ = false;
  const bool together_;                 // kernels may run together
  std::map<unsigned, std::size_t> at_;  // if together_: the running kernels' indices in kernels_, by their place
  bool started_ = false;
  std::uint64_t idle_l2_windows_ = 0;

  // Records requested for the end of the present instant, made in this order.
  sc_core::sc_event due_;
  Cycle due_at_ = 0;
  bool delivered_ = false;  // networks without latency have delivered in the present instant
  bool last_ends_ = false, sample_ = false, span_begins_ = false;
  std::vector<std::size_t> ending_;  // indices in kernels_
  std::vector<Starting> starting_;
  Cycle next_sample_ = kSampleCycles;
};

}  // namespace wharf

#include "platforms/simulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/monitor/kernel_failure.h"
#include "model/rtl/waves.h"
#include "platforms/frame/gpu_frame.h"
#include "platforms/measure/chip_energy.h"
#include "platforms/measure/levels/memory_levels.h"
#include "platforms/measure/metrics.h"
#include "platforms/measure/run_recorder.h"
#include "platforms/measure/stream_table.h"
#include "stimuli/known_launches.h"
#include "stimuli/sampling/warmed_caches.h"

namespace wharf {

namespace {
constexpr Cycle kSliceCycles = 10'000;  // most core cycles between checks of limits, stops and the progress bar
constexpr Cycle kSliceEdges = 80'000;   // most edges of the fastest clock between checks
// A boundary is at least kRestCycles core cycles after the last answer, when all timers of links, ports and banks have expired. It is in
// the middle between two samples of the recorder.
constexpr Cycle kRestCycles = 2000, kSampleCycles = 1000;

Cycle slice_cycles_of(const GpuParams& params) {
  const ClocksParams& mhz = params.clock_mhz;
  const std::uint32_t fastest = std::max({mhz.core, mhz.network, mhz.l2, mhz.dram, params.facts().first_network.clock_mhz});
  return std::clamp<Cycle>(kSliceEdges * mhz.core / fastest, 1, kSliceCycles);
}
}  // namespace

struct Simulation::Parts {
  Parts(const GpuParams& params, Stimulus& stimulus, const RunOptions& options)
      : params(params),
        options(options),
        stimulus(stimulus),
        recorder("recorder", params, options, registry),
        frame(make_platform(params, options, stimulus, registry, recorder)),
        energy(params, *frame, registry) {
    require_fit();
    if (!options.waves_file.empty()) waves = rtl::open_waves(options.waves_file);
    recorder.attach(*frame, energy);
    declare_metrics(registry, params);
    declare_memory_levels(registry, params);
    frame->declare_metrics(registry);
    energy.declare(registry);
    if (params.front_end.runs_kernels_together()) declare_streams(registry, streams_group.emplace(registry, "streams"), recorder.kernels());
    energy_group.law("energy.total == sum of energy's structures == sum of energy_over_time", [this] { return energy_adds_up(); });
  }

  /// Throws InputError if a CTA of a known launch needs more than an SM has.
  void require_fit() const {
    const auto* known = dynamic_cast<const KnownLaunches*>(&stimulus);
    if (known == nullptr) return;
    for (const KernelLaunch& launch : known->known_launches()) ctas_per_sm(launch, params.sm);
  }

  /// Compares with a tolerance, because the sums round in different orders.
  bool energy_adds_up() const {
    if (recorder.kernels().empty()) return true;  // a host that launched no kernel
    const Interval& run = recorder.whole();
    const energy::Breakdown whole = energy.breakdown(stats::View(registry, run.begin, run.end));
    const double parts = std::accumulate(whole.nj.begin(), whole.nj.end(), 0.0);
    const auto is_total = [&](double nj) { return std::abs(nj - whole.total) <= 1e-9 * whole.total; };
    return is_total(parts) && is_total(recorder.energy_over_time());
  }

  /// Throws InputError if a file cannot be written.
  void write_files() {
    recorder.write_timeline();
    if (waves) waves->close();
  }

  bool at_limit() const {
    return frame->core_clock().present_cycle() >= options.limit_cycles || recorder.warp_instructions() >= options.limit_warp_instructions;
  }
  bool is_stop_requested() const {
    if (waves && waves->failed()) return true;
    return options.on_progress &&
           !options.on_progress({stimulus.progress(), frame->core_clock().present_cycle(), recorder.warp_instructions()});
  }

  /// Cycles from `from` to the next event. Checks are useless while the machine only waits, for example for the launch of a kernel.
  Cycle idle_cycles(Cycle from) const {
    if (!sc_core::sc_pending_activity()) return 0;
    const Cycle next = frame->core_clock().cycle_at((sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity()).value());
    return next > from ? next - from : 0;
  }

  /// Cycles until the next check. It does not pass a limit of cycles. At the SMs' maximum issue rate, it does not pass a limit of
  /// instructions either. So a run ends in the cycle in which it reaches its limit, and equal limits are equal work.
  Cycle slice(Cycle from) const {
    Cycle cycles = slice_cycles;
    if (options.limit_warp_instructions != kNever) {
      const std::uint64_t most_a_cycle = std::uint64_t{params.sms} * params.sm.schedulers;
      cycles = std::clamp<Cycle>((options.limit_warp_instructions - recorder.warp_instructions()) / most_a_cycle, 1, slice_cycles);
    }
    cycles = std::max(cycles, idle_cycles(from));
    return from < options.limit_cycles ? std::min(cycles, options.limit_cycles - from) : 1;
  }

  /// Runs until no kernel is left or the next one is held back. Returns false if a limit or a stop comes first.
  bool run_kernels() {
    const ClockDomain& clock = frame->core_clock();
    const auto at_end = [this] { return frame->front_end().done() || frame->front_end().held(); };
    Cycle until = clock.present_cycle();
    while (!at_end()) {
      until += slice(until);
      run_kernel(clock.edge(until) - sc_core::sc_time_stamp().value());
      if (at_end()) break;
      if (!sc_core::sc_pending_activity()) frame->watchdog().report_now();
      if (at_limit() || is_stop_requested()) return !(stopped = true);
    }
    return true;
  }

  /// Completes the last kernel's traffic on its way to memory. Returns false if a stop comes first.
  bool drain() {
    frame->watchdog().disarm();
    const ClockDomain& clock = frame->core_clock();
    while (sc_core::sc_pending_activity()) {
      run_kernel(clock.edge(clock.present_cycle() + slice_cycles) - sc_core::sc_time_stamp().value());
      if (is_stop_requested()) return !(stopped = true);
    }
    return true;
  }

  /// Advances to the edge of core cycle `to`, and executes the events that are due then.
  void advance(Cycle to) {
    // sc_start() does not execute events that are due at its end time, so the end time is just after the edge.
    constexpr Picoseconds kBehind = 1;
    run_kernel(frame->core_clock().edge(to) + kBehind - sc_core::sc_time_stamp().value());
  }

  void step(Cycle most) {
    const Cycle now = frame->core_clock().present_cycle();
    const Cycle to_event = sc_core::sc_pending_activity() ? idle_cycles(now) : most;
    advance(now + std::clamp<Cycle>(to_event, 1, most));
  }

  /// Runs until nothing is in flight, and then until all timers have expired.
  void run_to_rest() {
    const ClockDomain& clock = frame->core_clock();
    advance(clock.present_cycle());  // to the end of the instant in which the kernel has ended
    while (!frame->leftovers().empty()) step(kSampleCycles);
    const Cycle drained = clock.present_cycle();
    recorder.begin_rest(drained);
    advance((drained + kRestCycles) / kSampleCycles * kSampleCycles + kSampleCycles / 2);
    recorder.end_rest(clock.present_cycle());
  }

  /// Calls `simulate`, and closes the records if it fails.
  template <class Simulate>
  auto recorded(Simulate simulate) {
    try {
      return simulate();
    } catch (const SimulationError&) {
      close_records();
      throw;
    } catch (const InputError&) {
      while (sc_core::sc_pending_activity_at_current_time()) run_kernel(0);  // the records of this instant
      close_records();
      throw;
    }
  }
  void close_records() {
    partial = true;
    recorder.stop(frame->core_clock().present_cycle());
  }
  void stop() {
    close_records();
    write_files();
  }

  const GpuParams params;
  const RunOptions options;
  const Cycle slice_cycles = slice_cycles_of(params);
  Stimulus& stimulus;
  stats::Registry registry;
  RunRecorder recorder;
  std::unique_ptr<GpuFrame> frame;
  std::unique_ptr<rtl::Waves> waves;  // of the RTL in the frame
  const ChipEnergy energy;
  stats::Group energy_group{registry, "energy"};
  std::optional<stats::Group> streams_group;
  bool partial = false;
  bool stopped = false;  // by a limit or by on_progress
};

Simulation::Simulation(const GpuParams& params, Stimulus& stimulus, RunOptions options)
    : parts_(std::make_unique<Parts>(params, stimulus, std::move(options))) {}

Simulation::~Simulation() = default;

bool Simulation::run_to_boundary(std::uint64_t kernels) {
  Parts& p = *parts_;
  FrontEnd& front_end = p.frame->front_end();
  front_end.hold_after(kernels);
  if (front_end.held()) front_end.release();
  return p.recorded([&] {
    if (!p.run_kernels() || !front_end.held()) return false;
    p.run_to_rest();
    return true;
  });
}

void Simulation::archive(Archive& file) {
  Parts& p = *parts_;
  Picoseconds at = sc_core::sc_time_stamp().value();
  file.section("time", [&] { file(at); });
  if (file.loads()) {
    p.frame->front_end().hold();
    run_kernel(at);
  }
  file.section("stimulus", [&] {
    if (!p.stimulus.archive(file)) Archive::refuse("this kind of stimulus");
  });
  p.frame->archive(file);
  file.section("statistics", [&] { p.registry.archive(file); });
  file.section("record", [&] { p.recorder.archive(file); });
  if (file.loads()) file.expect_end();
}

void Simulation::run() {
  Parts& p = *parts_;
  FrontEnd& front_end = p.frame->front_end();
  front_end.hold_after(kNever);
  if (front_end.held()) front_end.release();
  const bool ended = !p.stopped && p.recorded([&] { return p.run_kernels() && p.drain(); });
  if (!ended) return p.stop();
  p.write_files();
  std::vector<std::string> broken = p.registry.broken_laws();
  for (std::string& left : p.frame->leftovers()) broken.push_back(std::move(left));
  if (broken.empty()) return;
  std::string text = "the run has drained and these laws do not hold:";
  for (const std::string& law : broken) text += "\n  " + law;
  throw SimulationError(text);
}

GpuFrame& Simulation::frame() const { return *parts_->frame; }

void Simulation::advance(Cycle to) {
  Parts& p = *parts_;
  p.recorded([&] { p.advance(to); });
}

void Simulation::step(Cycle most) {
  Parts& p = *parts_;
  p.recorded([&] { p.step(most); });
}

stats::Snapshot Simulation::snapshot() { return parts_->recorder.snapshot(parts_->frame->core_clock().present_cycle()); }

std::unique_ptr<WarmedCaches> Simulation::warmed_l2() { return parts_->frame->warmed_l2(); }

void Simulation::resume() { parts_->frame->front_end().resume(); }

unsigned Simulation::debug(tlm::tlm_generic_payload& transaction) { return parts_->frame->debug(transaction); }
bool Simulation::holds(Address address, std::uint64_t bytes) const { return parts_->frame->holds(address, bytes); }

const stats::Registry& Simulation::statistics() const { return parts_->registry; }
const Interval& Simulation::whole_run() const { return parts_->recorder.whole(); }
const std::vector<Interval>& Simulation::kernels() const { return parts_->recorder.kernels(); }
const std::vector<Interval>& Simulation::windows() const { return parts_->recorder.windows(); }
bool Simulation::partial() const { return parts_->partial; }
std::vector<std::pair<std::string, std::uint64_t>> Simulation::warnings() const {
  auto warnings = parts_->stimulus.warnings();
  if (const std::uint64_t windows = parts_->recorder.idle_l2_windows(); windows != 0)
    warnings.emplace_back(
        "a kernel's access-policy window has no effect, because L2 sets nothing aside for it; set l2.hints: true, "
        "l2.persisting_fraction, up to 0.75, and in a CUDA program cudaLimitPersistingL2CacheSize",
        windows);
  return warnings;
}

}  // namespace wharf

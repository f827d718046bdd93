#pragma once
// A stimulus of which only the launches and CTAs that a plan chooses reach the machine.

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/functional_run.h"
#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/sampling/skipped_work.h"
#include "stimuli/sampling/warmed_caches.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// Executes the skipped launches functionally, between the detailed ones, so that all launches find the memory as in a whole run. The clocks
/// that kernels read advance by a cycle and a nanosecond per skipped warp instruction, so that a loop that waits for a time ends.
///
/// For the machine, a launch in part has fewer CTAs. The skipped ones are executed at once, while the machine works on those before.
class SampledStimulus final : public Stimulus, private RunningGpu {
 public:
  /// The launches of the stimulus: all of the plan, or those alone that run in detail.
  enum class Holds : std::uint8_t { all_launches, detailed_launches };

  /// `inner` and `plan` must outlive it. `go_on` is asked during skipped launches; if it returns false, no more launches follow.
  SampledStimulus(Stimulus& inner, const SamplingPlan& plan, std::function<bool()> go_on, Holds holds = Holds::all_launches)
      : inner_(inner), plan_(plan), holds_(holds), go_on_(std::move(go_on)), skipped_(plan.launches().size()) {}

  /// From now on the skipped launches warm `caches`, which must outlive the last call of next_kernel().
  void warm(WarmedCaches& caches) { caches_ = &caches; }

  void run_on(const RunningGpu& gpu) override {
    gpu_ = &gpu;
    inner_.run_on(*this);
  }
  /// Throws InputError if the program launches something else than in the functional run that the plan is from.
  const KernelLaunch* next_kernel() override;
  /// True if `go_on` has returned false. The run is then not done, so that it can be stopped.
  bool waiting() const override { return stopped_; }
  void open_kernel(const KernelLaunch& kernel) override { inner_.open_kernel(&kernel == &part_ ? *whole_ : kernel); }
  /// Throws InputError if the machine does not start the CTAs of a launch in part in order.
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override;
  /// Called after the last CTA of a span of a launch in part, before the first of the next one, while no block acts. Executes the CTAs in
  /// between. Throws InputError if they do not end, because they wait for those that the machine works on.
  void skip_to_next_span();
  const SkippedLaunches& skipped() const { return skipped_; }
  bool is_recorded() const override { return inner_.is_recorded(); }
  bool runs_apart() const override { return inner_.runs_apart(); }
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override { return inner_.warnings(); }
  bool contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const override { return inner_.contents(line, bytes); }
  bool store(Address address, const std::byte* bytes, std::size_t count) override { return inner_.store(address, bytes, count); }
  double progress() const override { return inner_.progress(); }

 private:
  Cycle core_cycle() const override { return gpu_->core_cycle() + skipped_instructions_; }
  Picoseconds time() const override { return gpu_->time() + 1000 * skipped_instructions_; }
  std::uint32_t sms() const override { return gpu_->sms(); }
  std::uint32_t sm_of_cta() const override { return gpu_->sm_of_cta(); }
  bool run_skipped(const KernelLaunch& launch);
  bool run_skipped_ctas(std::uint64_t first, std::uint64_t end);
  void record(std::size_t before_span, std::uint64_t before);
  OnMemory on_memory() const;
  CtaTurns turns() const;
  void require_planned(const KernelLaunch* launch) const;

  Stimulus& inner_;
  const SamplingPlan& plan_;
  const Holds holds_;
  std::function<bool()> go_on_;
  const RunningGpu* gpu_ = nullptr;
  WarmedCaches* caches_ = nullptr;   // null: skipped launches leave nothing in the machine
  std::size_t next_ = 0;             // number of the next launch
  const CtaSpans* spans_ = nullptr;  // of the present launch; null: it runs whole
  const KernelLaunch* whole_ = nullptr;
  std::uint64_t opened_ = 0;  // CTAs of part_
  KernelLaunch part_;         // what the machine gets of it
  std::size_t span_ = 0;      // of the next CTA, in spans_->detailed()
  std::uint64_t cta_ = 0;     // the place of the next CTA in the order of the launch's CTAs
  std::uint64_t skipped_instructions_ = 0;
  SkippedLaunches skipped_;
  bool stopped_ = false;
};

}  // namespace wharf

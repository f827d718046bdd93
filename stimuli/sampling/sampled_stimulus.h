#pragma once
// A stimulus of which only the launches that a plan chooses reach the machine.

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/sampling/sampling_plan.h"
#include "stimuli/sampling/warmed_caches.h"
#include "stimuli/stimulus.h"

namespace wharf {

/// Executes the skipped launches functionally, between the detailed ones, so that all launches find the memory as in a whole run. The clocks
/// that kernels read advance by a cycle and a nanosecond per skipped warp instruction, so that a loop that waits for a time ends.
class SampledStimulus final : public Stimulus, private RunningGpu {
 public:
  /// `inner` and `plan` must outlive it. `go_on` is asked during skipped launches; if it returns false, no more launches follow.
  SampledStimulus(Stimulus& inner, const SamplingPlan& plan, std::function<bool()> go_on)
      : inner_(inner), plan_(plan), go_on_(std::move(go_on)) {}

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
  void open_kernel(const KernelLaunch& kernel) override { inner_.open_kernel(kernel); }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override { return inner_.open_cta(cta); }
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
  void require_planned(const KernelLaunch* launch) const;

  Stimulus& inner_;
  const SamplingPlan& plan_;
  std::function<bool()> go_on_;
  const RunningGpu* gpu_ = nullptr;
  WarmedCaches* caches_ = nullptr;  // null: skipped launches leave nothing in the machine
  std::size_t next_ = 0;            // number of the next launch
  std::uint64_t skipped_instructions_ = 0;
  bool stopped_ = false;
};

}  // namespace wharf

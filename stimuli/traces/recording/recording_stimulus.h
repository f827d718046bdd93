#pragma once
// Records the instructions that an SM executes of another stimulus, as a trace.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/stimulus.h"
#include "stimuli/traces/recording/trace_writer.h"

namespace wharf::traces {

/// Forwards all calls to `inner`, and records each instruction at advance(). A warp has ended when peek() has returned nullptr. CTAs may
/// end in any order; those that wait for their turn are kept packed. A kernel's file is complete and listed when the next kernel is
/// requested, so a run that requests kernels until there is none leaves a complete trace; finish() completes the last kernel of a run that
/// stops earlier.
class RecordingStimulus final : public Stimulus {
 public:
  RecordingStimulus(std::unique_ptr<Stimulus> inner, const std::string& folder, TraceForm form);
  ~RecordingStimulus() override;

  void run_on(const RunningGpu& gpu) override { inner_->run_on(gpu); }
  const KernelLaunch* next_kernel() override;
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override;
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override { return inner_->warnings(); }
  double progress() const override { return inner_->progress(); }
  /// Throws SimulationError where the current kernel has unfinished CTAs, and InputError for a file-system error.
  void finish();

 private:
  class Recording;
  class RecordingStream;

  std::unique_ptr<Stimulus> inner_;
  std::shared_ptr<Recording> recording_;
};

}  // namespace wharf::traces

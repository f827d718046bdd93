#pragma once
// Records what an SM executes of another stimulus, as a trace.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/stimulus.h"
#include "stimuli/traces/trace_writer.h"

namespace wharf::traces {

/// Forwards everything to `inner` and writes each instruction that is advanced over. A warp has ended when peek() has said so. CTAs may
/// end in any order: those that wait for their turn are held packed. A kernel's file is complete and listed when the next kernel is asked
/// for, so a run that asks until there is none leaves a complete trace; finish() does the same for the last kernel of a run that stops
/// before.
class RecordingStimulus final : public Stimulus {
 public:
  RecordingStimulus(std::unique_ptr<Stimulus> inner, const std::string& folder, Compression compression);
  ~RecordingStimulus() override;

  const KernelLaunch* next_kernel() override;
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override;
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override { return inner_->warnings(); }
  double progress() const override { return inner_->progress(); }
  /// Throws SimulationError where the current kernel has CTAs that did not end, InputError where the file system refuses.
  void finish();

 private:
  class Recording;
  class RecordingStream;

  std::unique_ptr<Stimulus> inner_;
  std::shared_ptr<Recording> recording_;
};

}  // namespace wharf::traces

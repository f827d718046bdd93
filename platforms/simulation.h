#pragma once
// One run: a platform built from its parameters, the stimulus that drives it, and its measurements. There is one Simulation per process,
// because SystemC elaborates once.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "platforms/frame/run_options.h"
#include "stimuli/stimulus.h"

namespace tlm {
class tlm_generic_payload;
}

namespace wharf {

class Archive;       // model/base/archive.h
class GpuFrame;      // platforms/frame/gpu_frame.h
struct GpuParams;    // platforms/frame/gpu_params.h
class WarmedCaches;  // stimuli/sampling/warmed_caches.h

class Simulation {
 public:
  /// Elaborates the platform. Throws InputError if parameters and stimulus are incompatible.
  Simulation(const GpuParams& params, Stimulus& stimulus, RunOptions options);
  ~Simulation();

  /// Runs to the end of the stimulus, to a limit, or to a stop. Throws SimulationError for a broken law, stale data or a deadlock. Throws
  /// InputError if the stimulus proves impossible: a CTA that does not fit an SM, or a trace that cannot be read further; the run is then
  /// partial. After either error, the measurements up to that point stay readable.
  void run();

  /// Runs until `kernels` kernels have ended, counted from the beginning, and nothing is in flight. run() then continues. Returns false if
  /// the stimulus has fewer kernels or the run has stopped. Throws as run() does.
  bool run_to_boundary(std::uint64_t kernels);
  /// Saves or loads the whole state (model/base/archive.h). Call it after run_to_boundary(), or before anything has run. Throws InputError,
  /// naming it, for a part of the machine that does not support this, and if the file does not match.
  void archive(Archive& file);

  /// For a stimulus that runs some launches itself: GpuFrame::warmed_l2(). It must not outlive the simulation.
  std::unique_ptr<WarmedCaches> warmed_l2();

  /// Reports that the waiting stimulus now has a kernel, or will have none. For modules that drive the GPU, called from their processes.
  void resume();

  // For a host with its own cores (RunOptions::hosted), which advances time itself:
  GpuFrame& frame() const;
  /// Advances to the edge of core cycle `to`. Throws as run() does.
  void advance(Cycle to);
  /// Advances by `most` core cycles, but at most to the first cycle in which anything can change. Throws as run() does.
  void step(Cycle most);
  /// The present counts of all blocks.
  stats::Snapshot snapshot();

  /// GpuFrame::debug() and GpuFrame::holds() on the GPU's memory, during the simulation.
  unsigned debug(tlm::tlm_generic_payload& transaction);
  bool holds(Address address, std::uint64_t bytes) const;

  const stats::Registry& statistics() const;
  const Interval& whole_run() const;
  const std::vector<Interval>& kernels() const;
  const std::vector<Interval>& windows() const;
  bool partial() const;  // ended by a limit, a stop or an error
  /// Warnings of the stimulus about its input (Stimulus::warnings), each with its count.
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wharf

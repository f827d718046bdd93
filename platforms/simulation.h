#pragma once
// One run: a platform built from its parameters, the stimulus that drives it, and its measurements. One Simulation per process, because
// SystemC elaborates once.

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

class Archive;     // model/base/archive.h
class GpuFrame;    // platforms/frame/gpu_frame.h
struct GpuParams;  // platforms/frame/gpu_params.h

class Simulation {
 public:
  /// Elaborates the platform. Throws InputError where parameters and stimulus are incompatible.
  Simulation(const GpuParams& params, Stimulus& stimulus, RunOptions options);
  ~Simulation();

  /// Runs to the end of the stimulus, to a limit, or to a stop. Throws SimulationError for a broken law, stale data or a deadlock (the
  /// measurements up to then stay readable), and InputError for a stimulus that proves impossible (a CTA that does not fit an SM, a trace that
  /// cannot be read on; the measurements stay readable as well, and the run is partial).
  void run();

  /// Runs until `kernels` kernels have ended, counted from the beginning, and the machine is at rest; run() then goes on. Returns false
  /// where the stimulus has fewer or the run has stopped. Throws as run() does.
  bool run_to_boundary(std::uint64_t kernels);
  /// Saves or loads the whole state (model/base/archive.h): after run_to_boundary(), or before anything has run. Throws InputError, naming
  /// it, for a part of the machine whose state has no description, and where the file does not fit.
  void archive(Archive& file);

  /// The waiting stimulus now has a kernel, or will have none. For modules that drive the GPU, called from their processes.
  void resume();

  // For a host with cores of its own (RunOptions::hosted), which moves time itself:
  GpuFrame& frame() const;
  /// Advances to the edge of core cycle `to`. Throws as run() does.
  void advance(Cycle to);
  /// Advances by `most` core cycles, but no further than to the first in which anything can change. Throws as run() does.
  void step(Cycle most);
  /// The present counts of all blocks.
  stats::Snapshot snapshot();

  /// GpuFrame::debug() and GpuFrame::holds() of the GPU's memory, while the simulation runs.
  unsigned debug(tlm::tlm_generic_payload& transaction);
  bool holds(Address address, std::uint64_t bytes) const;

  const stats::Registry& statistics() const;
  const Interval& whole_run() const;
  const std::vector<Interval>& kernels() const;
  const std::vector<Interval>& windows() const;
  bool partial() const;  // ended by a limit, a stop or an error
  /// Departures of the stimulus's input that the run survived, each with its count.
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wharf

#pragma once
// One run: a platform built from its parameters, the stimulus that drives it, and its measurements. One Simulation per process, because
// SystemC elaborates once.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/base/access.h"
#include "model/base/byte_image.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "stimuli/stimulus.h"

namespace tlm {
class tlm_generic_payload;
}

namespace wharf {

struct BetweenLink;  // platforms/frame/gpu_frame.h
class Archive;       // model/base/archive.h
class GpuFrame;      // platforms/frame/gpu_frame.h
struct GpuParams;    // platforms/frame/gpu_params.h

struct Progress {
  double fraction = -1.0;               // of the stimulus; < 0 where unknown
  Cycle cycles = 0;                     // core cycles
  std::uint64_t warp_instructions = 0;
};

struct RunOptions {
  std::uint64_t seed = 1;
  bool verify = false;                  // versions in every sector, and every load checked against golden memory
  bool check_protocol = false;          // a protocol checker on every link
  bool scramble = false;                // permutes the order of blocks within a phase: results must not change
  unsigned cycle_stack = 0;             // count every issue slot of every Nth SM by its cause; 0: of none
  bool ticking = false;                 // the slow oracle: every block acts in every cycle
  bool hosted = false;                  // the cores are another simulator's, bound to GpuFrame::entry()
  std::uint64_t limit_warp_instructions = kNever;
  Cycle limit_cycles = kNever;          // core cycles
  std::uint64_t window_thread_instructions = 1'000'000;
  std::string timeline_file;            // Chrome trace JSON; empty = none
  std::string waves_file;               // VCD file of all RTL; empty = none
  /// With `data: bytes`: the global memory where it is not the stimulus's arrays (a host's memory). Must outlive the simulation.
  ByteImage* image = nullptr;
  /// Sets hints on each access that leaves an SM, in addition to those of its policies; may be empty.
  std::function<void(const Access&, AccessHint&)> mark;
  /// Modules of one's own in the links, such as probes: called with the name of each link when it is bound. The modules must outlive the
  /// simulation; one that only passes on what it gets changes no result. May be empty.
  std::function<BetweenLink(const std::string& link)> between;
  /// Called every few ten thousand simulated cycles; returning false stops the run cleanly (the record is then partial).
  std::function<bool(const Progress&)> on_progress;
};

/// The counts between two instants: those of a kernel, a window, or the whole run.
struct Interval {
  std::string name;                     // kernel name; empty for windows
  Cycle begin_cycle = 0, end_cycle = 0; // core cycles
  Picoseconds begin_ps = 0, end_ps = 0;
  stats::Snapshot begin, end;
};

class Simulation {
 public:
  /// Elaborates the platform. Throws InputError where parameters and stimulus are incompatible.
  Simulation(const GpuParams& params, Stimulus& stimulus, RunOptions options);
  ~Simulation();

  /// Runs to the end of the stimulus, to a limit, or to a stop. Throws SimulationError for a broken law, stale data or a deadlock (the
  /// measurements up to then stay readable), and InputError for a stimulus that proves impossible (a CTA that does not fit an SM).
  void run();

  /// Runs until `kernels` kernels have ended, counted from the beginning, and the machine is at rest; run() then goes on. Returns false where
  /// the stimulus has fewer or the run has stopped. Throws as run() does.
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
  /// The present counts of all blocks.
  stats::Snapshot snapshot();

  /// GpuFrame::debug() and GpuFrame::holds() of the GPU's memory, while the simulation runs.
  unsigned debug(tlm::tlm_generic_payload& transaction);
  bool holds(Address address, std::uint64_t bytes) const;

  const stats::Registry& statistics() const;
  const Interval& whole_run() const;
  const std::vector<Interval>& kernels() const;
  const std::vector<Interval>& windows() const;
  bool partial() const;                 // ended by a limit or a stop
  /// Departures of the stimulus's input that the run survived, each with its count.
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wharf

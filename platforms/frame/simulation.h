#pragma once
// One run: a platform built from its parameters, a stimulus driven through it, and what was measured.
// One Simulation a process: SystemC elaborates once.

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

struct GpuParams;  // platforms/frame/gpu_params.h

struct Progress {
  double fraction = -1.0;               // of the stimulus, < 0 where unknown
  Cycle cycles = 0;                     // core cycles
  std::uint64_t warp_instructions = 0;
};

struct RunOptions {
  std::uint64_t seed = 1;
  bool verify = false;                  // versions in every sector, every load checked against golden memory
  bool check_protocol = false;          // a protocol checker on every link
  bool scramble = false;                // permute the order of blocks inside a phase: results must not change
  bool ticking = false;                 // the slow oracle: every block acts in every cycle
  std::uint64_t limit_warp_instructions = kNever;
  Cycle limit_cycles = kNever;          // core cycles
  std::uint64_t window_thread_instructions = 1'000'000;
  std::string timeline_file;            // Chrome trace JSON; empty = none
  std::string waves_file;               // VCD of all that is RTL; empty = none
  /// With `data: bytes`: the global memory, where it is not the stimulus's own arrays (a host's memory). Must outlive the simulation.
  ByteImage* image = nullptr;
  /// Hints on each access of an SM as it leaves, beside those of its policies; empty: none.
  std::function<void(const Access&, AccessHint&)> mark;
  /// Called every few ten thousand simulated cycles; false stops the run cleanly (the record is then partial).
  std::function<bool(const Progress&)> on_progress;
};

/// What was counted between two instants: a kernel, a window, or the whole run.
struct Interval {
  std::string name;                     // kernel name; empty for windows
  Cycle begin_cycle = 0, end_cycle = 0; // core cycles
  Picoseconds begin_ps = 0, end_ps = 0;
  stats::Snapshot begin, end;
};

class Simulation {
 public:
  /// Elaborates the platform. Throws InputError where the parameters and the stimulus cannot go together.
  Simulation(const GpuParams& params, Stimulus& stimulus, RunOptions options);
  ~Simulation();

  /// Runs to the end of the stimulus, a limit, or a stop. Throws SimulationError for a broken law, stale data or a deadlock
  /// (what was measured up to then stays readable) and InputError for a stimulus that proves impossible (a CTA that does not fit an SM).
  void run();

  /// The stimulus, which was waiting, has a kernel now or will have none any more. For modules that drive the GPU, from their processes.
  void resume();

  /// Of the GPU's memory, while the simulation runs: GpuFrame::debug() and GpuFrame::holds().
  unsigned debug(tlm::tlm_generic_payload& transaction);
  bool holds(Address address, std::uint64_t bytes) const;

  const stats::Registry& statistics() const;
  const Interval& whole_run() const;
  const std::vector<Interval>& kernels() const;
  const std::vector<Interval>& windows() const;
  bool partial() const;                 // ended by a limit or a stop
  /// Of the stimulus: departures of its input that the run survived, each with its count.
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wharf

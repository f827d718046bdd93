#pragma once
// The options of a run, and the counts of an interval of the run.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/base/access.h"
#include "model/base/byte_image.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/sm/kernel_ledger.h"

namespace wharf {

struct BetweenLink;  // platforms/frame/gpu_frame.h

struct Progress {
  double fraction = -1.0;  // of the stimulus; < 0 if unknown
  Cycle cycles = 0;        // core cycles
  std::uint64_t warp_instructions = 0;
};

struct RunOptions {
  std::uint64_t seed = 1;
  bool verify = false;          // keep versions in every sector, and check every load against golden memory
  bool check_protocol = false;  // put a protocol checker on every link
  bool scramble = false;        // permute the order of blocks within a phase; results must not change
  unsigned cycle_stack = 0;     // count the issue slots of every Nth SM by cause; 0: none
  unsigned threads = 1;         // that advance the machine; results do not depend on it
  bool ticking = false;         // slow oracle: call every block in every cycle; results must not change
  bool hosted = false;          // the cores are another simulator's, bound to GpuFrame::entry()
  std::uint64_t limit_warp_instructions = kNever;
  Cycle limit_cycles = kNever;  // core cycles
  std::uint64_t window_thread_instructions = 1'000'000;
  /// For each kernel, ascending: the first CTAs of its spans but the first (Interval::spans). A span begins in the cycle in which the last CTA of
  /// the one before has started, after all blocks have acted in it. May be empty.
  std::vector<std::vector<std::uint64_t>> span_starts;
  /// Called when a span has begun, before its first CTA starts. May be empty.
  std::function<void()> before_span;
  std::string timeline_file;  // Chrome trace JSON; empty = none
  std::string waves_file;     // VCD file of all RTL; empty = none
  /// With `data: bytes`: the global memory, if it is a host's and not the stimulus's arrays. Must outlive the simulation.
  ByteImage* image = nullptr;
  /// Sets hints on each access that leaves an SM, in addition to those of its policies; may be empty.
  std::function<void(const Access&, AccessHint&)> mark;
  /// Inserts the caller's modules, such as probes, into links: called with the name of each link when it is bound. The modules must outlive
  /// the simulation. A module that only passes transactions on changes no result. May be empty.
  std::function<BetweenLink(const std::string& link)> between;
  /// Called every few ten thousand simulated cycles; returning false stops the run cleanly (the record is then partial).
  std::function<bool(const Progress&)> on_progress;
};

/// The counts of the machine between two instants: those of a kernel, a window, or the whole run.
struct Interval {
  std::string name;                      // kernel name; empty for windows
  Cycle begin_cycle = 0, end_cycle = 0;  // core cycles
  Picoseconds begin_ps = 0, end_ps = 0;
  stats::KeptSnapshot begin, end;  // their difference is the interval's counts, rests excluded
  Cycle rest_cycles = 0;           // cycles in which the machine rested for a checkpoint; no figure counts them
  Picoseconds rest_ps = 0;

  std::uint64_t stream = 0;         // of a kernel
  std::optional<KernelCounts> own;  // of a kernel: its own counts, if several kernels may run together
  std::vector<Interval> spans;      // of a kernel: its parts by RunOptions::span_starts; empty where that names none

  Cycle cycles() const { return end_cycle - begin_cycle - rest_cycles; }
  Picoseconds duration() const { return end_ps - begin_ps - rest_ps; }
};

}  // namespace wharf

#pragma once
// The input of the front end: kernels in order, each a grid of CTAs, each CTA one instruction stream per warp. Two families implement it:
// SPMD kernels that really compute (stimuli/kernels) and recorded traces (stimuli/traces).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/l2_window.h"
#include "stimuli/local_frame.h"

namespace wharf {

class Archive;

/// The instructions of one warp, in program order.
class WarpStream {
 public:
  virtual ~WarpStream() = default;
  /// The next instruction, or nullptr when the warp has ended. Has no effect: no memory is read or written, and the same instruction is
  /// returned until advance(), up to which the pointer is valid.
  virtual const WarpInstruction* peek() = 0;
  /// The SM has issued the instruction of peek() with all its repeats: its memory effect happens now.
  virtual void advance() = 0;
  /// From now on peek() and advance() may execute at once, and not return, instructions that neither access memory nor wait; their number, with
  /// repeats, is added to `executed`, which must outlive the warp. For functional runs.
  virtual void pass_over_compute(std::uint64_t& /*executed*/) {}
  /// The wait that the last advance() began has reached its limit (MbarrierUse::limit_ns) before the phase has ended. Called before peek().
  virtual void time_out() {}
};

/// A kernel launch, and the resources that one of its CTAs needs of an SM.
struct KernelLaunch {
  std::string name;
  Dim3 grid, block;
  std::uint32_t registers_per_thread = 16;
  std::uint32_t shared_bytes = 0;  // per CTA
  bool local_offsets = false;      // addresses of local space are offsets in the thread's stack
  LocalFrame frame = {};           // of a thread: the local arrays, where they are not
  std::uint64_t stream = 0;        // kernels of one stream run in order; those of different streams may run together
  L2Window l2_window = {};         // of its accesses without a hint of their own
  bool resets_persisting = false;  // when it starts, persisting lines in L2 become normal (LR-5)
  // Bytes of L2 that persisting lines may occupy once it has started; l2.persisting_fraction limits them too (LR-3).
  std::uint64_t persisting_limit = std::numeric_limits<std::uint64_t>::max();
  // Where the kernel's instructions are written: that of `pc` in line pc / pcs_a_line of the file. Empty and 0 where nobody knows.
  std::string source_file = {};
  std::uint32_t pcs_a_line = 0;
  // Returns the place of an instruction where one file does not have them all; empty where nobody knows.
  std::function<std::string(std::uint32_t pc)> place_in_files = {};
  Dim3 cluster = {};         // CTAs of a thread-block cluster; the grid is a whole number of clusters in each dimension
  bool cooperative = false;  // its CTAs wait for each other, so that all must run at a time
  std::uint64_t ctas_per_cluster() const { return cluster.count(); }
  std::uint64_t threads_per_cta() const { return block.count(); }
  /// "k.cu:17", where an instruction is written; empty where nobody knows.
  std::string place_of(std::uint32_t pc) const {
    if (pcs_a_line != 0) return source_file + ':' + std::to_string(pc / pcs_a_line);
    return place_in_files ? place_in_files(pc) : "";
  }
  unsigned warps_per_cta() const { return static_cast<unsigned>((block.count() + kLanes - 1) / kLanes); }
  /// Offset in its thread's stack of an access to local space. Throws SimulationError where the kernel has no such local array.
  Address stack_offset(Address address, std::uint32_t access_bytes) const {
    return local_offsets ? address : frame.offset_of(address, access_bytes, name);
  }
};

/// The GPU that runs a stimulus, for kernels that read clocks or the number of their SM. Asked while a CTA opens or an instruction issues.
class RunningGpu {
 public:
  virtual ~RunningGpu() = default;
  virtual Cycle core_cycle() const = 0;
  /// Simulated time since the start.
  virtual Picoseconds time() const = 0;
  virtual std::uint32_t sms() const = 0;
  /// The SM of the CTA that open_cta() opens.
  virtual std::uint32_t sm_of_cta() const = 0;
};

/// The kernels that run while another one is asked for.
struct RunningStreams {
  std::vector<std::uint64_t> busy;  // the stream of each
  std::size_t ahead = 1;            // the first kernels that have not started, of which one may start

  bool has(std::uint64_t stream) const { return std::find(busy.begin(), busy.end(), stream) != busy.end(); }
};

class Stimulus {
 public:
  virtual ~Stimulus() = default;
  /// Names the GPU that runs the stimulus, before the first next_kernel(). Without a call there is none, as in a functional run.
  virtual void run_on(const RunningGpu& /*gpu*/) {}
  /// Starts the next kernel; nullptr when there is none. Called when every previous kernel has drained, so a kernel may depend on their
  /// results. The pointer is valid until the next call.
  virtual const KernelLaunch* next_kernel() = 0;
  /// Starts a kernel beside those that run: of the first `running.ahead` that have not started, the first whose stream is not busy and has no
  /// earlier kernel that waits. Returns nullptr where none may start. Every earlier kernel of its stream has drained. The pointer is valid
  /// until another kernel of its stream starts.
  virtual const KernelLaunch* next_concurrent(const RunningStreams& /*running*/) { return nullptr; }
  /// From now on open_cta() opens CTAs of `kernel`, which runs. All of them are opened before another kernel is named. Without a call it is
  /// the kernel that next_kernel() has started.
  virtual void open_kernel(const KernelLaunch& /*kernel*/) {}
  /// True if the instructions of a warp do not depend on what other warps do, so that several threads may advance warps.
  virtual bool is_recorded() const { return false; }
  /// True if several threads may advance the warps of different CTAs, as long as no byte that one of them writes is accessed by another in the
  /// same cycle, and if an equal stimulus can be made for another run where that happens. A warp throws OneThreadNeeded where it cannot go on so.
  virtual bool runs_apart() const { return is_recorded(); }
  /// From now on CTAs may be left out. Returns false where launches and their geometries depend on what kernels compute.
  virtual bool leave_out_ctas() { return false; }
  /// True after next_kernel() has returned nullptr, where the driver of the GPU may provide a kernel later (FrontEnd::resume()).
  virtual bool waiting() const { return false; }
  /// The warps of CTA `cta` of the open kernel, in warp order. Called once per CTA, in ascending order of `cta` (linear, x fastest), or
  /// cluster by cluster (model/base/cluster_order.h). An empty vector is a CTA without warps (legal, counted).
  virtual std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) = 0;
  /// The warnings so far (departures of the input that the run survives), one text each, with its count.
  virtual std::vector<std::pair<std::string, std::uint64_t>> warnings() const { return {}; }
  /// Reads the present contents of a line of the global memory, with zeros where no array is. Returns false where the stimulus has no
  /// contents, like a trace.
  virtual bool contents(LineAddress, std::array<std::byte, kLineBytes>&) const { return false; }
  /// A write to a line of the global memory from outside the kernels (a debug access, a foreign initiator); it must not cross the line's
  /// end. Returns false where the stimulus has no array there.
  virtual bool store(Address, const std::byte*, std::size_t) { return false; }
  /// Call it before the first next_kernel() where archive() will save.
  virtual void keep_history() {}
  /// Saves or loads its position between two kernels (model/base/archive.h): loading stands for the calls of next_kernel() until then. Returns
  /// false where the stimulus cannot be brought there.
  virtual bool archive(Archive& /*file*/) { return false; }
  /// Progress through the whole stimulus in [0, 1], for the progress bar; < 0 where unknown.
  virtual double progress() const { return -1.0; }
};

}  // namespace wharf

#pragma once
// What the front end runs: kernels in order, each a grid of CTAs, each CTA one stream of instructions a warp.
// Two families implement it: SPMD kernels that really compute (stimuli/kernels) and recorded traces (stimuli/traces).

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf {

/// The instructions of one warp, in program order.
class WarpStream {
 public:
  virtual ~WarpStream() = default;
  /// The next instruction, or nullptr when the warp has ended. Looking has no effect: no memory is read or written,
  /// and the same instruction is returned until advance(). The pointer is valid until advance().
  virtual const WarpInstruction* peek() = 0;
  /// The SM has issued the instruction of peek() (all its repeats): its memory effect happens now.
  virtual void advance() = 0;
};

/// A kernel launch and what one CTA of it needs of an SM.
struct KernelLaunch {
  std::string name;
  Dim3 grid, block;
  std::uint32_t registers_per_thread = 16;
  std::uint32_t shared_bytes = 0;       // per CTA
  std::uint64_t threads_per_cta() const { return block.count(); }
  unsigned warps_per_cta() const { return static_cast<unsigned>((block.count() + kLanes - 1) / kLanes); }
};

class Stimulus {
 public:
  virtual ~Stimulus() = default;
  /// Start the next kernel; nullptr when there is none. Called when the previous kernel has drained, so a kernel may
  /// depend on what the previous one computed. The pointer is valid until the next call.
  virtual const KernelLaunch* next_kernel() = 0;
  /// After next_kernel() gave nullptr: true where a kernel may come later, from whoever drives the GPU (FrontEnd::resume()).
  virtual bool waiting() const { return false; }
  /// The warps of CTA `cta` of the current kernel, in warp order; called once a CTA, in ascending order of `cta`
  /// (linear, x fastest). An empty vector is a CTA without warps (legal, counted).
  virtual std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) = 0;
  /// Warnings so far (a counted departure of the input that the run survives), one text each with its count.
  virtual std::vector<std::pair<std::string, std::uint64_t>> warnings() const { return {}; }
  /// What a line of the global memory holds now, zeros where no array is; false where the stimulus has no contents, as a trace.
  virtual bool contents(LineAddress, std::array<std::byte, kLineBytes>&) const { return false; }
  /// Somebody other than its kernels writes to a line of the global memory (a debug access, a foreign initiator): not across its end. False
  /// where the stimulus has no array there.
  virtual bool store(Address, const std::byte*, std::size_t) { return false; }
  /// Progress through the whole stimulus in [0, 1], for the progress bar; < 0 where unknown.
  virtual double progress() const { return -1.0; }
};

}  // namespace wharf

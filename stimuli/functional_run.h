#pragma once
// Executes a stimulus without a machine: what its kernels compute, and how many instructions they have, but no time.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/stimulus.h"

namespace wharf {

struct FunctionalRun {
  std::uint64_t kernels = 0;
  std::uint64_t warp_instructions = 0;
  bool stopped = false;    // go_on() has returned false
  std::string stopped_at;  // "kernel k, CTA 3, warp 0 at app.cu:12": a warp that had not ended then
};

/// The warps of a CTA.
using OpenCta = std::function<std::vector<std::unique_ptr<WarpStream>>(std::uint64_t cta)>;

/// How the CTAs of a kernel take turns.
struct CtaTurns {
  std::uint64_t at_a_time = 64;
  /// Of a CTA before it is another CTA's turn. In a round each of its warps executes an instruction, and the compute instructions before it
  /// that it passes over (WarpStream::pass_over_compute()).
  std::uint64_t rounds = 4096;
  /// Where no CTA ends for long, further ones begin: kernels exist whose CTAs wait for later ones, which a GPU holds at the same time.
  bool begins_more = true;
};

/// Called with an instruction that accesses global or local memory, and its CTA, before it takes effect.
using OnMemory = std::function<void(std::uint64_t cta, const WarpInstruction&)>;

/// Runs one kernel, some CTAs at a time and their warps in turn, always in the same order. `instructions` counts warp instructions on. `go_on` is
/// asked every few thousand of them. Returns false where go_on() has. `on_memory` may be empty.
bool run_kernel_functionally(const KernelLaunch& launch, const OpenCta& open_cta, std::uint64_t& instructions,
                             const std::function<bool()>& go_on, const OnMemory& on_memory = {}, const CtaTurns& turns = {});
/// Runs the CTAs from `first` to before `end` of a kernel, in their order and in the same way. Both are numbers of whole clusters.
bool run_ctas_functionally(const KernelLaunch& launch, std::uint64_t first, std::uint64_t end, const OpenCta& open_cta,
                           std::uint64_t& instructions, const std::function<bool()>& go_on, const OnMemory& on_memory = {},
                           const CtaTurns& turns = {});

/// Runs all kernels, some CTAs at a time and their warps in turn, always in the same order. `go_on` is asked every few thousand instructions
/// and gets the counts so far. Throws what the stimulus throws.
FunctionalRun run_functionally(Stimulus& stimulus, const std::function<bool(const FunctionalRun&)>& go_on);

}  // namespace wharf

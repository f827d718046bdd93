#pragma once
// A stimulus written by hand: kernels of CTAs of warps of instructions.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/barriers/mbarriers.h"
#include "stimuli/stimulus.h"

namespace wharf::test {

using Instructions = std::vector<WarpInstruction>;  // of one warp
using Warps = std::vector<Instructions>;            // of one CTA

struct ScriptedKernel {
  std::vector<Warps> ctas;
  std::uint32_t warps_per_cta = 1;
  std::uint32_t registers_per_thread = 16;
  std::uint32_t shared_bytes = 0;
  LocalFrame frame = {};
  bool local_offsets = false;  // local addresses are offsets in the thread's stack
  L2Window l2_window = {};
  bool resets_persisting = false;
  std::uint64_t persisting_limit = KernelLaunch().persisting_limit;
  Dim3 cluster = {};
  std::uint64_t stream = 0;
};

/// A kernel of one warp.
ScriptedKernel one_warp(Instructions instructions);

class Scripted final : public Stimulus {
 public:
  explicit Scripted(std::vector<ScriptedKernel> kernels) : kernels_(std::move(kernels)) {}

  const KernelLaunch* next_kernel() override;
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override;

 private:
  std::vector<ScriptedKernel> kernels_;
  std::size_t started_ = 0;
  KernelLaunch launch_;
};

/// A line for tests that need one, in slice 0 and at home 0.
inline constexpr Address kLine = 0x10'0000;

// Instructions. A register is given by its number; kNoRegister means none.

/// Every active lane reads 4 bytes: lane l at address + stride * l.
WarpInstruction load(Address address, RegisterId destination, RegisterId source = kNoRegister, LaneMask active = 1, unsigned stride = 4);
WarpInstruction store(Address address, RegisterId source = kNoRegister, LaneMask active = 1, unsigned stride = 4);
/// Returns a result if it has a destination.
WarpInstruction atomic(Address address, RegisterId destination = kNoRegister, LaneMask active = 1);
WarpInstruction shared(Address address, RegisterId destination, RegisterId source = kNoRegister, LaneMask active = 1, unsigned stride = 4);
/// Accesses shared memory of a CTA of the cluster; a store if it has no destination.
WarpInstruction shared_of(unsigned rank, Address offset, RegisterId destination, RegisterId source = kNoRegister, LaneMask active = 1,
                          unsigned stride = 4);
WarpInstruction cluster_arrive();
WarpInstruction cluster_wait();
/// `rank`: of the CTA whose mbarrier lies at `offset`.
WarpInstruction mbarrier(MbarrierOp op, Address offset, std::uint32_t value = 0, unsigned rank = 0);
/// `arrivals` at it, and bytes that its phase waits for in addition.
WarpInstruction arrive(Address offset, unsigned rank = 0, std::uint32_t arrivals = 1, std::int32_t bytes = 0);
WarpInstruction compute(Unit unit, RegisterId destination = kNoRegister, RegisterId source = kNoRegister);
WarpInstruction barrier();
WarpInstruction exit_warp();

/// `length` loads of register 1, each with the address that the previous one loaded: line i at base + i * step.
Instructions load_chase(Address base, unsigned length, std::uint64_t step = kLineBytes);

}  // namespace wharf::test

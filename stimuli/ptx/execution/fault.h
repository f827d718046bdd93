#pragma once
// Ends a run because a thread did what a GPU would not let it do (CU-58).

#include <string>

#include "model/base/error.h"
#include "stimuli/ptx/execution/launch_state.h"

namespace wharf::ptx {

/// The thread at fault: its warp in its CTA, and its lane.
struct FaultPlace {
  std::uint32_t pc = 0;
  unsigned warp = 0, lane = 0;
};

/// The thread's index in a block of that shape.
Dim3 thread_of(const FaultPlace& place, const Dim3& block);

enum class FaultKind : std::uint8_t { address, alignment, assertion, endless, other };

class ThreadFault : public SimulationError {
 public:
  ThreadFault(const std::string& text, FaultKind kind) : SimulationError(text), kind_(kind) {}
  FaultKind kind() const { return kind_; }

 private:
  FaultKind kind_;
};

/// Throws ThreadFault: `app.cu:17: kernel saxpy, block (3,0,0) thread (31,0,0): ` and `text`.
[[noreturn]] void fail_thread(const CtaState& cta, const FaultPlace& place, const std::string& text, FaultKind kind = FaultKind::other);

/// Describes a wrong access to global memory: outside all allocations, freed, or null.
std::string describe_global_fault(const DeviceMemory& memory, Address address, unsigned bytes, std::string_view access);

/// Describes a `trap`. Grid groups of CUDA's headers and of ours execute one where the launch is not cooperative.
std::string describe_trap(const LaunchState& launch, std::uint32_t pc);

}  // namespace wharf::ptx

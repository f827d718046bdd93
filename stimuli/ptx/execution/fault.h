#pragma once
// Ends a run because a thread did what a GPU would not let it do (CU-58).

#include <string>

#include "stimuli/ptx/execution/launch_state.h"

namespace wharf::ptx {

/// The thread at fault: its warp in its CTA, and its lane.
struct FaultPlace {
  std::uint32_t pc = 0;
  unsigned warp = 0, lane = 0;
};

/// Throws SimulationError: `app.cu:17: kernel saxpy, block (3,0,0) thread (31,0,0): ` and `text`.
[[noreturn]] void fail_thread(const CtaState& cta, const FaultPlace& place, const std::string& text);

/// What is wrong with an access to global memory: outside all allocations, freed, or null.
std::string describe_global_fault(const DeviceMemory& memory, Address address, unsigned bytes, std::string_view access);

}  // namespace wharf::ptx

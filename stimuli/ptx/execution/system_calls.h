#pragma once
// Functions of the system that kernels call: vprintf, __assertfail, malloc, free (CU-45).

#include <cstdint>

#include "stimuli/ptx/execution/memory_access.h"

namespace wharf::ptx {

/// A lane's call.
struct SystemCall {
  CtaState& cta;
  MemoryAccess& access;
  FaultPlace place;
  const CallSite& site;
  const Frame& frame;
  const Rows& rows;
};

/// Executes the call and writes its result. Throws SimulationError where an assertion fails or an argument is no good.
void execute_system_call(const SystemCall& call);

}  // namespace wharf::ptx

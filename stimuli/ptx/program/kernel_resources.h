#pragma once
// Resources of an SM that a kernel and all functions that it reaches need: registers, shared memory, stack (CU-28, 46, 52).

#include <cstdint>
#include <vector>

#include "stimuli/ptx/program/program.h"

namespace wharf::ptx {

struct KernelResources {
  std::uint32_t registers_per_thread = 16;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;    // of the dynamic variables, which share one address
  std::vector<std::uint32_t> shared_offsets;  // of each of Program::shared_variables; kNone for one that the kernel does not reach
  std::uint32_t local_bytes = 0;              // per thread: what the deepest chain of calls has in local memory, without recursive calls
  std::uint32_t stack_bytes = 0;              // per thread: room for it, and for some recursion
  bool recurses = false;                      // so that a launch may want a larger stack
};

/// The live registers up to which loads may move ahead in `function`, of which `live` live at once in the order of its text: no registers per
/// thread more than that order needs, or than a full SM leaves each thread, and no more than the function's directives allow.
std::uint32_t registers_for_loads(const FunctionCode& function, std::uint32_t live);

/// Throws InputError where the kernel reaches a function that cannot run.
KernelResources kernel_resources(const Program& program, const FunctionCode& kernel);

}  // namespace wharf::ptx

#pragma once
// What the functions that allocate memory have in common.

#include <cstddef>

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// Allocates `bytes` bytes, or nothing if that is 0, and sets `pointer`. Returns the error of the function that the program has called.
cudaError_t allocate(Session& session, void** pointer, std::size_t bytes, AllocationKind kind);

}  // namespace wharf::cuda::runtime

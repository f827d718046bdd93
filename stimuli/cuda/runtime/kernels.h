#pragma once
// Registered kernels: their descriptions, and launches.

#include "stimuli/cuda/runtime/streams/graphs.h"

namespace wharf::cuda::runtime {

/// The registered kernel behind a host stub with its description. Returns nullptr, with the error, where there is none.
Kernel* find_kernel(Session& session, const void* stub, cudaError_t& error);

/// Checks the configuration against the device, and gathers the arguments (CU-24). The launch has `attributes` unless its configuration says
/// otherwise.
cudaError_t prepare_launch(Session& session, const void* stub, const cudaLaunchConfig_t& config, LaunchAttributes attributes,
                           void** arguments, Work& work);

/// Runs the kernel; returns when it is done (CU-16). In a stream that is captured, the kernel joins the graph.
cudaError_t launch(Session& session, const void* stub, const cudaLaunchConfig_t& config, void** arguments);

}  // namespace wharf::cuda::runtime

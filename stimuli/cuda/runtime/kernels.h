#pragma once
// Registered kernels: their descriptions, and launches.

#include "stimuli/cuda/runtime/launch_attributes.h"
#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// The registered kernel behind a host stub with its description. Returns nullptr, with the error, where there is none.
Kernel* find_kernel(Session& session, const void* stub, cudaError_t& error);

/// Checks the configuration against the device, gathers the arguments and runs the kernel; returns when it is done (CU-16, CU-24).
cudaError_t launch(Session& session, const void* stub, const LaunchConfiguration& configuration, void** arguments,
                   const LaunchAttributes& attributes = {});

/// CTAs of `threads` threads that an SM holds at once; 0 where none fits.
int resident_ctas(const DeviceDescription& device, const Kernel& kernel, std::uint64_t threads, std::size_t shared_bytes);

}  // namespace wharf::cuda::runtime

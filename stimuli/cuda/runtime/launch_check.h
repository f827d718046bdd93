#pragma once
// Whether the device can run a launch. A refusal names the limit, with the value that the launch asks for.

#include <optional>

#include "stimuli/cuda/runtime/launch_attributes.h"
#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// Checks a launch against the device (CU-21). Sets `cluster` where it can run.
LaunchRefusal check_launch(Session& session, const Kernel& kernel, const cudaLaunchConfig_t& config, const LaunchAttributes& attributes,
                           dim3& cluster);

/// Finds the cluster of a launch: one CTA where neither the launch nor the kernel asks for one. Refuses what differs from the kernel's own
/// size, is missing where the kernel needs one, or is larger than clusters of the device, with cudaErrorInvalidClusterSize; and any where
/// the device has none, with cudaErrorNotSupported.
LaunchRefusal find_cluster(const DeviceDescription& device, const Kernel& kernel, const std::optional<dim3>& asked, dim3& cluster);

}  // namespace wharf::cuda::runtime
